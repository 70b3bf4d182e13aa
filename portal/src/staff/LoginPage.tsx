import { Trans, useLingui } from '@lingui/react/macro'
import { useLayoutEffect, type ReactNode, type SubmitEvent } from 'react'
import { takeEarlyFocus, earlyInput } from '../company/earlyInput.ts'
import { useOnline } from '../kit/device/online.ts'
import { Button } from '../ui/page/Button.tsx'
import { PasswordField } from '../ui/field/PasswordField.tsx'
import { TextField } from '../ui/field/TextField.tsx'
import { LoginNotice, LoginReasonNotice } from './LoginNotice.tsx'
import { useLogin } from './useLogin.ts'

type Props = {
  logo: ReactNode
  onLoggedIn: () => void
  /** The company no longer exists, so another one must be chosen. */
  onCompanyGone: () => void
  /** The clerk has started to type, so the next page's code can be loaded. */
  onBegun: () => void
}

/** The login form. Each refusal is shown at the field where the clerk can correct it. */
export function LoginPage({ logo, onLoggedIn, onCompanyGone, onBegun }: Props): ReactNode {
  const { t } = useLingui()
  const { account, password, ...login } = useLogin({ onLoggedIn, onCompanyGone })
  const errors = useFieldErrors(login.errors)
  const online = useOnline()

  useLayoutEffect(() => {
    const before = takeEarlyFocus()
    if (before === 'password') password.current?.focus()
    else if (before !== null || matchMedia('(hover: hover)').matches) account.current?.focus()
  }, [account, password])

  function submit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault()
    if (online) void login.submit()
  }

  return (
    // With `dialog`, pressing the button before the script has loaded does nothing. The default
    // would submit the form, and put the password into the address.
    <form noValidate method="dialog" onSubmit={submit} className="grid grid-cols-1 gap-5">
      <div className="mb-3 grid grid-cols-1 gap-6 low:mb-0 low:flex low:items-center">
        {logo}
        <h1 className="text-title-l">
          <Trans id="login.title">Log in</Trans>
        </h1>
      </div>
      <LoginReasonNotice />
      <TextField
        ref={account}
        name="account"
        label={t({ id: 'login.account', message: 'Account' })}
        {...(errors.account === undefined ? {} : { error: errors.account })}
        defaultValue={earlyInput('account')}
        autoComplete="username"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        maxLength={64}
        readOnly={login.busy}
        onChange={() => login.clearError('account')}
      />
      <PasswordField
        ref={password}
        name="password"
        label={t({ id: 'login.password', message: 'Password' })}
        showLabel={t({ id: 'login.show', message: 'Show password' })}
        hideLabel={t({ id: 'login.hide', message: 'Hide password' })}
        {...(errors.password === undefined ? {} : { error: errors.password })}
        defaultValue={earlyInput('password')}
        autoComplete="current-password"
        maxLength={256}
        readOnly={login.busy}
        onFocus={onBegun}
        onChange={() => login.clearError('password')}
      />
      <LoginNotice errors={login.errors} left={login.left} />
      <Button
        kind="filled"
        size="large"
        type="submit"
        className="mt-1 w-full"
        busy={login.busy}
        disabled={!online || login.left > 0}
        {...(online ? {} : { reason: t({ id: 'off.short', message: "You're offline." }) })}
      >
        <Trans id="login.submit">Log in</Trans>
      </Button>
    </form>
  )
}

function useFieldErrors(found: ReturnType<typeof useLogin>['errors']): {
  account?: string
  password?: string
} {
  const { t } = useLingui()
  const errors: { account?: string; password?: string } = {}
  if (found.account !== null) {
    errors.account = {
      required: t({ id: 'login.accountReq', message: 'please type the account' }),
      unknown: t({ id: 'login.noAccount', message: 'the account does not exist' }),
      refused: found.account.message ?? '',
    }[found.account.why]
  }
  if (found.password !== null) {
    errors.password = {
      required: t({ id: 'login.passwordReq', message: 'please type the password' }),
      wrong: t({ id: 'login.wrongPassword', message: 'please type the correct password' }),
      refused: found.password.message ?? '',
    }[found.password.why]
  }
  return errors
}
