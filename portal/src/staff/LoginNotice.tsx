import { Plural, Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { useStore } from '../kit/store/store.ts'
import { Notice } from '../ui/page/Notice.tsx'
import { loginReason } from './loginReason.ts'
import type { LoginErrors } from './useLogin.ts'

const storeInactive = (
  <Trans id="login.storeInactive">the store is inactive, unable to log in</Trans>
)

const reasonTexts = {
  expired: <Trans id="login.expired">Login expired, please log in again</Trans>,
  authFailed: <Trans id="login.authFailed">Auth failed, please login first</Trans>,
  linkInvalid: (
    <Trans id="login.tokenBad">
      This link has expired or was already used. Log in with your account.
    </Trans>
  ),
  storeInactive,
  permissionsChanged: (
    <Trans id="perm.changed">Your permissions have been changed, please log in again</Trans>
  ),
}

/** Why the clerk was sent to the login form; shown above it. */
export function LoginReasonNotice(): ReactNode {
  const reason = useStore(loginReason)
  return reason === null ? null : <Notice tone="warning">{reasonTexts[reason]}</Notice>
}

/** Errors that belong to no field; shown above the button. */
export function LoginNotice({
  errors: { form },
  left,
}: {
  errors: LoginErrors
  left: number
}): ReactNode {
  if (form === null || (form.why === 'tooManyAttempts' && left === 0)) return null
  return <Notice tone="danger">{formText(form, left)}</Notice>
}

function formText(form: NonNullable<LoginErrors['form']>, left: number): ReactNode {
  switch (form.why) {
    case 'storeInactive':
      return storeInactive
    case 'noAnswer':
      return (
        <Trans id="login.noAnswer">
          The server did not answer. Check the connection and try again.
        </Trans>
      )
    case 'tooManyAttempts':
      return <Wait left={left} />
    case 'other':
      return form.message
  }
}

/** Announced only once: a number read out every second would cover everything else. */
export function Wait({ left }: { left: number }): ReactNode {
  return (
    <span aria-live="off">
      <Left left={left} />
    </span>
  )
}

/** Seconds are shown only when few are left. */
function Left({ left }: { left: number }): ReactNode {
  if (left > 120) {
    const minutes = Math.ceil(left / 60)
    return (
      <Trans id="login.waitMinutes">
        Too many attempts. Try again in{' '}
        <Plural value={{ minutes }} one="# minute" other="# minutes" />.
      </Trans>
    )
  }
  return (
    <Trans id="login.wait">
      Too many attempts. Try again in{' '}
      <Plural value={{ seconds: left }} one="# second" other="# seconds" />.
    </Trans>
  )
}
