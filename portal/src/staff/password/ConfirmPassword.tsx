import { Trans, useLingui } from '@lingui/react/macro'
import { confirmPassword } from '@tillside/contract/auth'
import { useRef, useState, type ReactNode } from 'react'
import { call } from '../../kit/call/call.ts'
import { isCancelled } from '../../kit/call/failure.ts'
import { PasswordField } from '../../ui/field/PasswordField.tsx'
import { type PasswordErrors, passwordErrorsOf } from './passwordErrors.ts'
import { PasswordSheet } from './PasswordSheet.tsx'
import { useCountdown } from '../useCountdown.ts'

/**
 * Asks for the password after many look-ups, in case someone else has the session.
 * @param onAnswer receives whether the password was confirmed
 */
export function ConfirmPassword({ onAnswer }: { onAnswer: (done: boolean) => void }): ReactNode {
  const { t } = useLingui()
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

  return (
    <PasswordSheet
      open
      title={t({ id: 'confirm.title', message: 'Please confirm that it is you' })}
      note={
        <Trans id="confirm.why">
          You have looked up many members in a short time. Type your password to go on.
        </Trans>
      }
      label={<Trans id="confirm.do">Go on</Trans>}
      errors={errors}
      busy={busy}
      left={left}
      onSubmit={() => void send()}
      onClose={() => onAnswer(false)}
    >
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
    </PasswordSheet>
  )
}
