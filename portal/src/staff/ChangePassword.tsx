import { Trans, useLingui } from '@lingui/react/macro'
import { useId, type ReactNode, type SubmitEvent } from 'react'
import { useOnline } from '../kit/device/online.ts'
import { useSession } from '../kit/call/session.ts'
import { Button } from '../ui/page/Button.tsx'
import { Notice } from '../ui/page/Notice.tsx'
import { PasswordField } from '../ui/field/PasswordField.tsx'
import { Sheet } from '../ui/layer/Sheet.tsx'
import { Wait } from './LoginNotice.tsx'
import type { PasswordErrors } from './passwordErrors.ts'
import { usePasswordChange } from './usePasswordChange.ts'

type Props = { open: boolean; onClose: () => void }

/**
 * Changes the clerk's password; the server then ends every session of the account, including this
 * one.
 */
export function ChangePassword({ open, onClose }: Props): ReactNode {
  const { t } = useLingui()
  const form = useId()
  const account = useSession()?.staff.account
  const online = useOnline()
  const { origin, next, again, ...change } = usePasswordChange(onClose)
  const { errors: found, busy, left, clearError, submit } = change
  const errors = useErrorTexts(found)
  const shared = {
    showLabel: t({ id: 'login.show', message: 'Show password' }),
    hideLabel: t({ id: 'login.hide', message: 'Hide password' }),
    maxLength: 256,
    readOnly: busy,
  }
  function send(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault()
    if (online) void submit()
  }

  return (
    <Sheet
      open={open}
      onClose={onClose}
      busy={busy}
      title={t({ id: 'set.changePw', message: 'Change Password' })}
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
            <Trans id="pw.do">Change</Trans>
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
        <PasswordField
          {...shared}
          ref={origin}
          label={t({ id: 'pw.current', message: 'Current password' })}
          error={errors.origin}
          autoComplete="current-password"
          onChange={() => clearError('origin')}
        />
        <PasswordField
          {...shared}
          ref={next}
          label={t({ id: 'pw.new', message: 'New password' })}
          hint={t({ id: 'pw.rule', message: '8 to 16 characters, no spaces' })}
          error={errors.next}
          autoComplete="new-password"
          onChange={() => clearError('next')}
        />
        <PasswordField
          {...shared}
          ref={again}
          label={t({ id: 'pw.again', message: 'New password again' })}
          error={errors.again}
          autoComplete="new-password"
          onChange={() => clearError('again')}
        />
      </form>
      <PasswordNotice errors={found} left={left} />
    </Sheet>
  )
}

/** An error of a password form that belongs to no field. */
export function PasswordNotice({
  errors: { form },
  left,
}: {
  errors: PasswordErrors
  left: number
}) {
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

function useErrorTexts(found: PasswordErrors) {
  const { t } = useLingui()
  const texts = {
    origin: {
      required: t({ id: 'pw.currentReq', message: 'please type current password' }),
      wrong: t({ id: 'login.wrongPassword', message: 'please type the correct password' }),
    },
    next: {
      required: t({ id: 'pw.newReq', message: 'please type new password' }),
      format: t({ id: 'pw.format', message: 'new password format is not correct' }),
      common: t({
        id: 'pw.common',
        message: 'new password format is not correct: this password is too common',
      }),
    },
    again: {
      required: t({ id: 'pw.againReq', message: 'type the new password again to confirm it' }),
      mismatch: t({
        id: 'pw.mismatch',
        message: 'new password and password confirmation do not match',
      }),
    },
  }
  return {
    origin: found.origin && texts.origin[found.origin],
    next: found.next && texts.next[found.next],
    again: found.again && texts.again[found.again],
  }
}
