import { Trans, useLingui } from '@lingui/react/macro'
import { useId, type ReactNode, type SubmitEvent } from 'react'
import { useOnline } from '../../kit/device/online.ts'
import { useSession } from '../../kit/call/session.ts'
import { Button } from '../../ui/page/Button.tsx'
import { Notice } from '../../ui/page/Notice.tsx'
import { Sheet } from '../../ui/layer/Sheet.tsx'
import { Wait } from '../LoginNotice.tsx'
import type { PasswordErrors } from './passwordErrors.ts'

type PasswordSheetProps = {
  open: boolean
  title: string
  note?: ReactNode
  /** The label of the button that sends the form. */
  label: ReactNode
  /** The errors of the last attempt. */
  errors: PasswordErrors
  busy: boolean
  /** The seconds until another attempt is allowed. */
  left: number
  /** Called only when the form can be sent. */
  onSubmit: () => void
  onClose: () => void
  /** The password fields. */
  children: ReactNode
}

/** A form that asks the clerk for the password of their own account. */
export function PasswordSheet(props: PasswordSheetProps): ReactNode {
  const { open, title, note, label, errors, busy, left, onSubmit, onClose, children } = props
  const { t } = useLingui()
  const form = useId()
  const account = useSession()?.staff.account
  const online = useOnline()
  function send(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault()
    if (online && !busy && left === 0) onSubmit()
  }

  return (
    <Sheet
      open={open}
      onClose={onClose}
      busy={busy}
      title={title}
      note={note}
      actions={
        <>
          <Button
            kind="filled"
            size="large"
            type="submit"
            form={form}
            busy={busy}
            disabled={!online || left > 0}
            {...(online ? {} : { reason: t({ id: 'off.short', message: "You're offline." }) })}
          >
            {label}
          </Button>
          <Button kind="text" onClick={onClose} disabled={busy}>
            <Trans id="common.cancel">Cancel</Trans>
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={send} className="grid grid-cols-1 gap-4">
        {/* Lets a password manager know the account. */}
        <input hidden readOnly name="account" autoComplete="username" value={account ?? ''} />
        {children}
      </form>
      <PasswordNotice errors={errors} left={left} />
    </Sheet>
  )
}

type PasswordNoticeProps = { errors: PasswordErrors; left: number }

/** An error of a password form that belongs to no field. */
function PasswordNotice({ errors: { form }, left }: PasswordNoticeProps) {
  if (form === undefined || (form.why === 'wait' && left === 0)) return null
  return (
    <Notice tone="danger">
      {form.why === 'wait' ? (
        <Wait left={left} />
      ) : form.why === 'other' ? (
        form.message
      ) : (
        <Trans id="login.noAnswer">
          The server did not answer. Check the connection and try again.
        </Trans>
      )}
    </Notice>
  )
}
