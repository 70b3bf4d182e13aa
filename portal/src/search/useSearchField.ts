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
 * The search field: how it is read, what stands in it, what is wrong with it.
 * @param given the look-up that came with the address, to stand in the field
 */
export function useSearchField(given: LookUp | null) {
  const phones = usePhones()
  const { callingCode, callingCodes, chooseCallingCode } = useCallingCode()
  const [{ method, typed, taken }, setContent] = useState(() => contentOf(given))
  const [trouble, setTrouble] = useState<SearchErrorCode | null>(null)
  const [switched, setSwitched] = useState(false)
  const text = method === 'mobile' && phones ? grouped(phones, typed, callingCode) : typed
  const reader = (known: Phones | null) => readerOf(known, callingCode, callingCodes)
  const understood = taken ?? parseAs(method, text, reader(phones))

  const write = (content: Content) => {
    setContent(content)
    setTrouble(null)
    setSwitched(content.method !== method)
  }
  /** Stands in the field as its own kind; the country of a number goes before it. */
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
    trouble,
    /** The method was changed by what was pasted or scanned. */
    switched,
    setTrouble,
    chooseCountry: (code: string) => {
      chooseCallingCode(code)
      setTrouble(null)
    },
    /** What was typed goes along: it was the method that was wrong, not the digits. */
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
    /** @returns whether the paste was taken care of */
    paste(pasted: string): boolean {
      const next = methodFor(pasted, method, reader(phones))
      const read = parseAs(next, pasted, reader(phones))
      const said = typeof read === 'string' ? null : readAsOf(read, method, callingCode)
      if (typeof read === 'string' || (next === method && said === null)) return false
      show(read)
      return true
    },
    /** What was scanned takes the field's place. @returns what it may be, or null */
    async scan(scanned: string): Promise<Parsed | null> {
      const read = parse(scanned, reader(await loadRules()))
      if (read === null) {
        write({ method, typed: '', taken: null })
        setTrouble('notMember')
      } else show(read)
      return read
    },
    ...meaning(phones === null ? null : understood, method, callingCode),
    /** What the field names, or what is wrong; waits for the rules of numbers if it must. */
    read: async () => taken ?? parseAs(method, text, reader(await loadRules())),
  }
}

const loadRules = () => loadPhones().catch(() => null)

/** `taken`: what was scanned, where the text in the field does not say it. */
type Content = { method: Method; typed: string; taken: Parsed | null }

function contentOf(given: LookUp | null): Content {
  if (given === null) return { method: rememberedMethod(), typed: '', taken: null }
  const taken: Parsed | null =
    'uniCustomerNo' in given ? { kind: 'customer', candidates: [given] } : null
  return { ...contentOfCandidate(given), taken }
}

/** What was pasted or scanned; a number of a country that is not offered brings its code along. */
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

/** How a look-up stands in the field; a number that only systems know is nothing to read aloud. */
function contentOfCandidate(by: Candidate): Omit<Content, 'taken'> {
  if ('mobile' in by) return { method: 'mobile', typed: `+${by.countryCode}${by.mobile}` }
  if ('email' in by) return { method: 'email', typed: by.email }
  if ('cardNumber' in by) return { method: 'card', typed: by.cardNumber }
  if ('coupon' in by) return { method: 'code', typed: by.coupon }
  if ('code' in by) return { method: 'code', typed: by.code }
  return { method: 'code', typed: maskedNumber(null, by.uniCustomerNo) }
}

/** `number`: one of a country that the field does not show. */
export type ReadAs = { kind: Kind } | { number: string }

/** Null where the method on screen says it already. */
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
    /** What the field names now, if its number is a whole one: enough for a peek. */
    complete: 'mobile' in first ? first : null,
    /** What the text is taken for, where the field does not show it by itself. */
    readAs: readAsOf(understood, method, callingCode),
  }
}

/** Only digits are grouped: an address in the field of numbers is left as it is. */
function isNumber(text: string): boolean {
  return /^[+\d\s().\p{Pd}]*$/u.test(toHalfWidth(text))
}

function grouped(phones: Phones, typed: string, callingCode: string): string {
  return isNumber(typed) ? phones.grouped(typed, callingCode) : typed
}

export type SearchField = ReturnType<typeof useSearchField>

/** The method that was used last comes first the next time. */
function rememberMethod(content: Content): Content {
  deviceStorage.setItem(methodKey(), content.method)
  return content
}

function rememberedMethod(): Method {
  const kept = deviceStorage.getItem(methodKey())
  return methods.find((method) => method === kept) ?? 'mobile'
}
