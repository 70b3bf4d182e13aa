import { useState } from 'react'
import { maskedNumber } from '../kit/text/name.ts'
import { session } from '../kit/call/session.ts'
import { deviceStorage } from '../kit/store/storage.ts'
import { ungrouped, resolveDeletion } from '../member/caret.ts'
import { loadPhones, type Phones, readerOf, useCallingCode, usePhones } from '../member/phones.ts'
import type { LookUp } from '../paths.ts'
import {
  type Candidate,
  type Kind,
  type Method,
  methodFor,
  methods,
  toHalfWidth,
  type SearchErrorCode,
  parse,
  parseAs,
  type Parsed,
} from './parse.ts'

const methodKey = () => session.keyOf('search-method')

/**
 * The search field: its method, its text, its parsed content and its error.
 * @param given the look-up of the address, shown in the field
 */
export function useSearchField(given: LookUp | null) {
  const phones = usePhones()
  const { callingCode, callingCodes, chooseCallingCode } = useCallingCode()
  const [{ method, typed, taken }, setContent] = useState(() => contentOf(given))
  const [errorCode, setErrorCode] = useState<SearchErrorCode | null>(null)
  const [switched, setSwitched] = useState(false)
  const text = method === 'mobile' && phones ? grouped(phones, typed, callingCode) : typed
  const reader = (known: Phones | null) => readerOf(known, callingCode, callingCodes)
  const understood = taken ?? parseAs(method, text, reader(phones))

  const write = (content: Content) => {
    setContent(content)
    setErrorCode(null)
    setSwitched(content.method !== method)
  }
  /** Shows a parsed text under its own method; the country of a number goes into its own field. */
  const show = (read: Parsed) => {
    const content = contentFor(read, callingCodes)
    if (content.callingCode) chooseCallingCode(content.callingCode)
    write(rememberMethod(content))
  }
  return {
    method,
    callingCode,
    callingCodes,
    text,
    errorCode,
    /** The method was changed by a pasted or scanned text. */
    switched,
    setErrorCode,
    chooseCountry: (code: string) => {
      chooseCallingCode(code)
      setErrorCode(null)
    },
    /** The text is kept: usually the method was wrong, not the digits. */
    choose(next: Method) {
      const kept = method === 'mobile' && isNumber(text) ? ungrouped(text) : text
      write(rememberMethod({ method: next, typed: taken === null ? kept : '', taken: null }))
      setSwitched(false)
    },
    type: (next: string) =>
      write({
        method,
        typed: method === 'mobile' && isNumber(next) ? resolveDeletion(text, next) : next,
        taken: null,
      }),
    /** @returns whether the paste was handled */
    paste(pasted: string): boolean {
      const next = methodFor(pasted, method, reader(phones))
      const read = parseAs(next, pasted, reader(phones))
      const said = typeof read === 'string' ? null : readAsOf(read, method, callingCode)
      if (typeof read === 'string' || (next === method && said === null)) return false
      show(read)
      return true
    },
    /** Shows a scanned text in the field. @returns its parsed form, or null */
    async scan(scanned: string): Promise<Parsed | null> {
      const read = parse(scanned, reader(await loadRules()))
      if (read === null) {
        write({ method, typed: '', taken: null })
        setErrorCode('notMember')
      } else show(read)
      return read
    },
    ...meaning(phones === null ? null : understood, method, callingCode),
    /** Parses the field's text, or returns the error; waits for the phone number library. */
    read: async () => taken ?? parseAs(method, text, reader(await loadRules())),
  }
}

const loadRules = () => loadPhones().catch(() => null)

/** `taken`: a scanned look-up that the text in the field cannot express. */
type Content = { method: Method; typed: string; taken: Parsed | null }

function contentOf(given: LookUp | null): Content {
  if (given === null) return { method: rememberedMethod(), typed: '', taken: null }
  const taken: Parsed | null =
    'uniCustomerNo' in given ? { kind: 'customer', candidates: [given] } : null
  return { ...contentOfCandidate(given), taken }
}

/**
 * The content for a pasted or scanned text; a number of a country that is not offered includes its
 * code.
 */
function contentFor(
  { kind, candidates }: Parsed,
  offered: readonly string[],
): Content & { callingCode?: string } {
  const [first] = candidates
  const taken = kind === 'customer' ? { kind, candidates } : null
  const callingCode = 'mobile' in first ? first.countryCode : ''
  if (!('mobile' in first) || !offered.includes(callingCode))
    return { ...contentOfCandidate(first), taken }
  return { method: 'mobile', typed: first.mobile, taken, callingCode }
}

/** The content for a look-up; a number that only other systems use is not shown. */
function contentOfCandidate(by: Candidate): Omit<Content, 'taken'> {
  if ('mobile' in by) return { method: 'mobile', typed: `+${by.countryCode}${by.mobile}` }
  if ('email' in by) return { method: 'email', typed: by.email }
  if ('cardNumber' in by) return { method: 'card', typed: by.cardNumber }
  if ('coupon' in by) return { method: 'code', typed: by.coupon }
  if ('code' in by) return { method: 'code', typed: by.code }
  return { method: 'code', typed: maskedNumber(null, by.uniCustomerNo) }
}

/** `number`: a number of a country that the field does not show. */
export type ReadAs = { kind: Kind } | { number: string }

/** Null if the method on screen already says so. */
function readAsOf({ kind, candidates }: Parsed, method: Method, code: string): ReadAs | null {
  const [first] = candidates
  if (kind !== method) return { kind }
  if (!('mobile' in first) || first.countryCode === code) return null
  return { number: `+${first.countryCode} ${first.mobile}` }
}

function meaning(understood: Parsed | SearchErrorCode | null, method: Method, callingCode: string) {
  const none: { complete: LookUp | null; readAs: ReadAs | null } = { complete: null, readAs: null }
  if (understood === null || typeof understood === 'string') return none
  const [first] = understood.candidates
  return {
    /** The look-up of a complete mobile number, for the peek card. */
    complete: 'mobile' in first ? first : null,
    /** How the text is read, if the field does not show it. */
    readAs: readAsOf(understood, method, callingCode),
  }
}

/** Only digits are grouped; an address in the number's field is left unchanged. */
function isNumber(text: string): boolean {
  return /^[+\d\s().\p{Pd}]*$/u.test(toHalfWidth(text))
}

function grouped(phones: Phones, typed: string, callingCode: string): string {
  return isNumber(typed) ? phones.grouped(typed, callingCode) : typed
}

export type SearchField = ReturnType<typeof useSearchField>

/** The method that was used last is preselected next time. */
function rememberMethod(content: Content): Content {
  deviceStorage.setItem(methodKey(), content.method)
  return content
}

function rememberedMethod(): Method {
  const kept = deviceStorage.getItem(methodKey())
  return methods.find((method) => method === kept) ?? 'mobile'
}
