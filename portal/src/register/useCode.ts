import { failures } from '@tillside/contract/wire/failures'
import {
  sendEmailCaptcha,
  sendMobileCaptcha,
  validateEmailCaptcha,
  validateMobileCaptcha,
} from '@tillside/contract/verification'
import { useRef, useState } from 'react'
import { type FormError, server } from '../form/useFieldErrorTexts.ts'
import { call } from '../kit/call/call.ts'
import { isCancelled, reasonOf, Refusal, refusalData } from '../kit/call/failure.ts'
import type { Mobile } from '../member/phones.ts'
import { useCountdown } from '../staff/useCountdown.ts'

export type Contact = { kind: 'mobile'; mobile: Mobile } | { kind: 'email'; email: string }

type Step = 'none' | 'sending' | 'sent' | 'checking' | 'verified'
/** The progress belongs to one contact: for another number nothing was sent or verified. */
type Progress = { about: string; step: Step; code: string; proof: string | null }

const length = 6
const nothing: Progress = { about: '', step: 'none', code: '', proof: null }

const nameOf = (contact: Contact | null): string =>
  contact === null ? '' : JSON.stringify(contact)

/** The progress of the current contact. */
function useProgress(contact: Contact | null) {
  const [kept, setKept] = useState(nothing)
  const about = nameOf(contact)
  const progress = kept.about === about ? kept : { ...nothing, about }
  return {
    progress,
    write: (next: Partial<Progress>) => setKept({ ...progress, ...next }),
    forget: () => setKept(nothing),
  }
}

type Ask = <T>(
  asking: Promise<T>,
  on: { answer: (data: T) => void; error: (error: unknown) => void },
) => Promise<void>

/** Passes an answer or an error on only if no later request was made. */
function useLatest(): Ask {
  const latest = useRef(0)
  return async (asking, on) => {
    const asked = ++latest.current
    try {
      const data = await asking
      if (asked === latest.current) on.answer(data)
    } catch (error) {
      if (asked === latest.current && !isCancelled(error)) on.error(error)
    }
  }
}

/**
 * Verifies a contact by a code: sends it, and checks the input.
 * @param contact null until the input is a complete number or address
 * @param setError receives errors about the contact itself; errors about the code are returned
 */
export function useCode(contact: Contact | null, setError: (fieldError: FormError) => void) {
  const { progress, write, forget } = useProgress(contact)
  const [codeError, setCodeError] = useState<FormError | null>(null)
  const countdown = useCountdown()
  const ask = useLatest()

  async function send(): Promise<void> {
    if (contact === null || countdown.left > 0) return
    write({ step: 'sending', code: '' })
    setCodeError(null)
    await ask(sent(contact), {
      answer({ resendAfter }) {
        countdown.start(resendAfter)
        write({ step: 'sent', code: '' })
      },
      error(error) {
        const wait = refusalData(error, failures.captchaTooOften)
        if (wait !== null) countdown.start(wait.retryAfter)
        write({ step: progress.step })
        setError(errorOf(error, contact) ?? { type: 'sendFailed', message: reasonOf(error) ?? '' })
      },
    })
  }

  async function validate(code: string): Promise<void> {
    if (contact === null) return
    write({ step: 'checking', code })
    await ask(validated(contact, code), {
      answer: ({ verification }) => write({ step: 'verified', code, proof: verification }),
      error(error) {
        const gone = error instanceof Refusal && error.refusal === 'captchaMissing'
        write(gone ? { step: 'none', code: '' } : { step: 'sent', code })
        const message = reasonOf(error) ?? ''
        const fieldError = errorOf(error, contact) ?? { type: 'checkFailed', message }
        if (gone) setError(fieldError)
        else setCodeError(fieldError)
      },
    })
  }

  return {
    step: progress.step,
    code: progress.code,
    /** The proof that `createCustomer` expects. */
    proof: progress.proof,
    codeError,
    setCodeError,
    /** Seconds until another code may be sent, to any contact: the server sets this limit. */
    wait: countdown.left,
    send,
    /** Checks the code in the field again. */
    again: () => void validate(progress.code),
    /** Handles input in the code's field; a complete code is checked at once. */
    type(text: string) {
      const code = text.normalize('NFKC').replace(/\D/g, '').slice(0, length)
      setCodeError(null)
      if (code.length === length && code !== progress.code) void validate(code)
      else write({ code })
    },
    missing: () => missingIn(progress),
    /** Called when the server asks for a new proof. */
    forget,
  }
}

/** The missing step before the form may be sent; null if the contact is verified. */
function missingIn({ step, code }: Progress): 'sendFirst' | 'codeReq' | 'codeBad' | null {
  if (step === 'verified') return null
  if (step === 'none' || step === 'sending') return 'sendFirst'
  return code === '' ? 'codeReq' : 'codeBad'
}

export type CodeOf = ReturnType<typeof useCode>

function sent(contact: Contact) {
  return contact.kind === 'mobile'
    ? call(sendMobileCaptcha, contact.mobile, { quiet: true })
    : call(sendEmailCaptcha, { email: contact.email }, { quiet: true })
}

function validated(contact: Contact, captcha: string) {
  return contact.kind === 'mobile'
    ? call(validateMobileCaptcha, { ...contact.mobile, captcha }, { quiet: true })
    : call(validateEmailCaptcha, { email: contact.email, captcha }, { quiet: true })
}

/** The portal's text for a refusal; null if there is none. */
function errorOf(error: unknown, contact: Contact): FormError | null {
  if (!(error instanceof Refusal)) return null
  if (error.refusal === 'captchaWrong') return { type: 'codeBad' }
  if (error.refusal === 'captchaMissing') return { type: 'sendFirst' }
  if (error.refusal === 'contactTaken') {
    return { type: contact.kind === 'mobile' ? 'exists' : 'existsEmail' }
  }
  const [field] = refusalData(error, failures.invalid)?.fields ?? []
  return { type: server, message: field?.message ?? error.message }
}
