import { changePassword } from '@tillside/contract/auth'
import { useRef, useState } from 'react'
import { call } from '../../kit/call/call.ts'
import { isCancelled } from '../../kit/call/failure.ts'
import { session } from '../../kit/call/session.ts'
import { showToast } from '../../ui/layer/toastStore.ts'
import { type PasswordErrors, passwordErrorsOf, validatePasswords } from './passwordErrors.ts'
import { useCountdown } from '../useCountdown.ts'

type Place = 'origin' | 'next' | 'again'
const places: readonly Place[] = ['origin', 'next', 'again']

/** The logic of the password form: validates, sends, and shows each refusal at its field. */
export function usePasswordChange(onDone: () => void) {
  const origin = useRef<HTMLInputElement>(null)
  const next = useRef<HTMLInputElement>(null)
  const again = useRef<HTMLInputElement>(null)
  const fields = { origin, next, again }
  const [errors, setErrors] = useState<PasswordErrors>({})
  const [busy, setBusy] = useState(false)
  const { left, start } = useCountdown()

  function show(found: PasswordErrors): void {
    setErrors(found)
    if (found.form?.why === 'wait') start(found.form.seconds)
    const first = places.find((place) => found[place] !== undefined)
    if (first !== undefined) fields[first].current?.select()
  }

  async function submit(): Promise<void> {
    const typed = {
      origin: origin.current?.value ?? '',
      next: next.current?.value ?? '',
      again: again.current?.value ?? '',
    }
    const found = validatePasswords(typed)
    if (places.some((place) => found[place] !== undefined)) return show(found)
    setBusy(true)
    setErrors({})
    try {
      await call(
        changePassword,
        {
          originPassword: typed.origin,
          newPassword: typed.next,
          confirm_password: typed.again,
        },
        { quiet: true, onMessage: (text) => showToast({ tone: 'success', text }) },
      )
      onDone()
      // The server has already ended the session.
      session.close()
    } catch (error) {
      setBusy(false)
      if (!isCancelled(error)) show(passwordErrorsOf(error))
    }
  }

  return {
    origin,
    next,
    again,
    errors,
    busy,
    left,
    submit,
    /** Clears the error of a field as soon as it is edited. */
    clearError: (place: Place) => setErrors((now) => ({ ...now, [place]: undefined })),
  }
}
