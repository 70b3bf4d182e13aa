import { Trans, useLingui } from '@lingui/react/macro'
import { confirmPassword } from '@tillside/contract/auth'
import { useId, useRef, useState, type ReactNode, type SubmitEvent } from 'react'
import { call } from '../kit/call/call.ts'
import { isCancelled } from '../kit/call/failure.ts'
import { useSession } from '../kit/call/session.ts'
import { useOnline } from '../kit/device/online.ts'
import { PasswordField } from '../ui/field/PasswordField.tsx'
import { Sheet } from '../ui/layer/Sheet.tsx'
import { Button } from '../ui/page/Button.tsx'
import { PasswordNotice } from './ChangePassword.tsx'
import { type PasswordErrors, passwordErrorsOf } from './passwordErrors.ts'
import { useCountdown } from './useCountdown.ts'

/**
 * Asks for the password after many look-ups, in case someone else has the session.
 * @param onAnswer receives whether the password was confirmed
 */
export function ConfirmPassword({ onAnswer }: { onAnswer: (done: boolean) => void }): ReactNode {
  const { t } = useLingui()
  const form = useId()
  const account = useSession()?.staff.account
  const online = useOnline()
  const field = useRef<HTMLInputElement>(null)
  const [errors, setErrors] = useState<PasswordErrors>({})
  const [busy, setBusy] = useState(false)
  const { left, start } = useCountdown()
  const texts = {
    required: t({ id: 'login.passwordReq', message: 'please type the password' }),
    wrong: t({ id: 'login.wrongPassword', message: 'please type the correct password' }),
  }

  function show(found: PasswordErrors): void {
    setErrors(found)
    if (found.form?.why === 'wait') start(found.form.seconds)
    field.current?.select()
  }
  async function send(): Promise<void> {
    const password = field.current?.value ?? ''
    if (password === '') return show({ origin: 'required' })
    setBusy(true)
    setErrors({})
    try {
      await call(confirmPassword, { password }, { quiet: true })
      onAnswer(true)
    } catch (error) {
      setBusy(false)
      if (!isCancelled(error)) show(passwordErrorsOf(error))
    }
  }
  function submit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault()
    if (online && !busy && left === 0) void send()
  }

  return (
    <Sheet
      open
      onClose={() => onAnswer(false)}
      busy={busy}
      title={t({ id: 'confirm.title', message: 'Please confirm that it is you' })}
      note={
        <Trans id="confirm.why">
          You have looked up many members in a short time. Type your password to go on.
        </Trans>
      }
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
            <Trans id="confirm.do">Go on</Trans>
          </Button>
          <Button kind="text" onClick={() => onAnswer(false)} disabled={busy}>
            <Trans id="common.cancel">Cancel</Trans>
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={submit} className="grid grid-cols-1 gap-4">
        {/* Lets a password manager know the account. */}
        <input hidden readOnly name="account" autoComplete="username" value={account ?? ''} />
        <PasswordField
          ref={field}
          label={t({ id: 'login.password', message: 'Password' })}
          showLabel={t({ id: 'login.show', message: 'Show password' })}
          hideLabel={t({ id: 'login.hide', message: 'Hide password' })}
          maxLength={256}
          readOnly={busy}
          error={errors.origin && texts[errors.origin]}
          autoComplete="current-password"
          onChange={() => setErrors({})}
        />
      </form>
      <PasswordNotice errors={errors} left={left} />
    </Sheet>
  )
}
