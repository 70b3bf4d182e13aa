import { failures } from '@tillside/contract/wire/failures'
import {
  sendEmailCaptcha,
  sendMobileCaptcha,
  validateEmailCaptcha,
  validateMobileCaptcha,
} from '@tillside/contract/verification'
import { useRef, useState } from 'react'
import { type Complaint, server } from '../form/useTroubles.ts'
import { call } from '../kit/call/call.ts'
import { isCancelled, Refusal, refusalData } from '../kit/call/failure.ts'
import type { Mobile } from '../member/phones.ts'
import { useCountdown } from '../staff/useCountdown.ts'

export type Contact = { kind: 'mobile'; mobile: Mobile } | { kind: 'email'; email: string }

type Step = 'none' | 'sending' | 'sent' | 'checking' | 'verified'
/** Everything is about one contact: another number has nothing sent and nothing proven. */
type Progress = { about: string; step: Step; code: string; proof: string | null }

const length = 6
const nothing: Progress = { about: '', step: 'none', code: '', proof: null }

const nameOf = (contact: Contact | null): string =>
  contact === null ? '' : JSON.stringify(contact)

/** What is kept about the contact that stands there now. */
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

/** Tells the answer or the error only while nothing else has been asked since. */
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
 * The code that proves a contact: sent, read out, compared.
 * @param contact null while what was typed is no whole number or address
 * @param complain what is wrong with the contact itself; about the code this hook tells
 */
export function useCode(contact: Contact | null, complain: (complaint: Complaint) => void) {
  const { progress, write, forget } = useProgress(contact)
  const [trouble, setTrouble] = useState<Complaint | null>(null)
  const countdown = useCountdown()
  const ask = useLatest()

  async function send(): Promise<void> {
    if (contact === null || countdown.left > 0) return
    write({ step: 'sending', code: '' })
    setTrouble(null)
    await ask(sent(contact), {
      answer({ resendAfter }) {
        countdown.start(resendAfter)
        write({ step: 'sent', code: '' })
      },
      error(error) {
        const wait = refusalData(error, failures.captchaTooOften)
        if (wait !== null) countdown.start(wait.retryAfter)
        write({ step: progress.step })
        complain(complaintOf(error, contact) ?? { type: 'sendFailed' })
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
        const complaint = complaintOf(error, contact) ?? { type: 'checkFailed' }
        if (gone) complain(complaint)
        else setTrouble(complaint)
      },
    })
  }

  return {
    step: progress.step,
    code: progress.code,
    /** What `createCustomer` takes. */
    proof: progress.proof,
    trouble,
    setTrouble,
    /** Seconds until another one may be sent, whoever it is for: the server counts. */
    wait: countdown.left,
    send,
    /** Asks again whether the code that stands there is right. */
    again: () => void validate(progress.code),
    /** Types into the code's field; a whole code is compared at once. */
    type(text: string) {
      const code = text.normalize('NFKC').replace(/\D/g, '').slice(0, length)
      setTrouble(null)
      if (code.length === length && code !== progress.code) void validate(code)
      else write({ code })
    },
    missing: () => missingIn(progress),
    /** The server wants another proof. */
    forget,
  }
}

/** What keeps the form from being sent, or null: the contact is proven. */
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

/** The refusal in our words where we have them; null: there was no answer to speak of. */
function complaintOf(error: unknown, contact: Contact): Complaint | null {
  if (!(error instanceof Refusal)) return null
  if (error.refusal === 'captchaWrong') return { type: 'codeBad' }
  if (error.refusal === 'captchaMissing') return { type: 'sendFirst' }
  if (error.refusal === 'contactTaken') {
    return { type: contact.kind === 'mobile' ? 'exists' : 'existsEmail' }
  }
  const [field] = refusalData(error, failures.invalid)?.fields ?? []
  return { type: server, message: field?.message ?? error.message }
}
