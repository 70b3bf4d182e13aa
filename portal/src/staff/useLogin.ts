import { login } from '@tillside/contract/auth'
import { useRef, useState } from 'react'
import { company } from '../company/company.ts'
import { call } from '../kit/call/call.ts'
import { session } from '../kit/call/session.ts'
import { loginReason } from './loginReason.ts'
import { loginErrorOf, type LoginError } from './loginError.ts'
import { useCountdown } from './useCountdown.ts'

/** The errors by place; both fields may be empty at once. */
export type LoginErrors = {
  account: Extract<LoginError, { at: 'account' }> | null
  password: Extract<LoginError, { at: 'password' }> | null
  form: Extract<LoginError, { at: 'form' }> | null
}

const noErrors: LoginErrors = { account: null, password: null, form: null }

type Options = {
  onLoggedIn: () => void
  onCompanyGone: () => void
}

/** The logic of the login form: validates, sends, and shows each refusal at its field. */
export function useLogin({ onLoggedIn, onCompanyGone }: Options) {
  const account = useRef<HTMLInputElement>(null)
  const password = useRef<HTMLInputElement>(null)
  const [errors, setErrors] = useState(noErrors)
  const [busy, setBusy] = useState(false)
  const { left, start } = useCountdown()

  function show(found: LoginError): void {
    if (found.at === 'company') return onCompanyGone()
    setErrors({ ...noErrors, [found.at]: found })
    if (found.at === 'account') account.current?.select()
    if (found.at === 'form' && found.why === 'tooManyAttempts') {
      start(found.seconds)
      // The disabled button would lose the focus.
      password.current?.focus()
    }
    if (found.at === 'password' && password.current !== null) {
      if (found.why === 'wrong') password.current.value = ''
      password.current.focus()
    }
  }

  function missing(): boolean {
    const noAccount = account.current?.value.trim() === ''
    const noPassword = password.current?.value === ''
    if (!noAccount && !noPassword) return false
    setErrors({
      account: noAccount ? { at: 'account', why: 'required' } : null,
      password: noPassword ? { at: 'password', why: 'required' } : null,
      form: null,
    })
    const first = noAccount ? account : password
    first.current?.focus()
    return true
  }

  async function submit(): Promise<void> {
    const identifier = company.get()?.identifier
    if (busy || left > 0 || identifier === undefined || missing()) return
    const typed = {
      account: account.current?.value.trim() ?? '',
      password: password.current?.value ?? '',
    }
    setBusy(true)
    setErrors(noErrors)
    try {
      const info = await call(login, { identifier, ...typed }, { quiet: true })
      loginReason.set(null)
      session.open(info)
      onLoggedIn()
    } catch (error) {
      setBusy(false)
      show(loginErrorOf(error))
    }
  }

  return {
    account,
    password,
    errors,
    busy,
    left,
    submit,
    /** Clears the error of a field as soon as it is edited. */
    clearError: (field: 'account' | 'password') =>
      setErrors((now) => (now[field] === null ? now : { ...now, [field]: null })),
  }
}
