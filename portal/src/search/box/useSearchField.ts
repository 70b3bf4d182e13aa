import { useState } from 'react'
import { maskedNumber } from '../../kit/text/name.ts'
import { resolveDeletion, ungrouped } from '../../member/caret.ts'
import { type Phones, readAllOf, useCallingCode, usePhones } from '../../member/phones.ts'
import type { LookUp } from '../../paths.ts'
import { useLoadNumbers } from '../find.ts'
import {
  type Candidate,
  isNumber,
  kindOf,
  type Method,
  parse,
  type Parsed,
  type SearchErrorCode,
  toHalfWidth,
  understand,
} from '../text/parse.ts'
import { mayGoOn, rememberTyped } from '../text/beginnings.ts'

/**
 * `taken`: a pasted or scanned text, whose label or address the field does not show.
 * `narrow`: the kind that the clerk chose for this one input.
 */
type Content = { typed: string; taken: Parsed | null; narrow: Method | null }

const empty: Content = { typed: '', taken: null, narrow: null }

/**
 * The search field: its text, what it means, and its error.
 * @param given the look-up of the address, shown in the field
 */
export function useSearchField(given: LookUp | null) {
  const phones = usePhones()
  const loadNumbers = useLoadNumbers()
  const { callingCode, callingCodes } = useCallingCode()
  const [content, setContent] = useState(() => contentOf(given))
  const [errorCode, setErrorCode] = useState<SearchErrorCode | null>(null)
  const { typed, taken, narrow } = content
  const text = isGrouped(content) && phones ? grouped(phones, typed, callingCode) : typed
  const isWhole = phones?.isWhole(text, callingCode) === true
  const parsed = taken ?? understand(text, readAllOf(phones, callingCodes), narrow)

  const write = (next: Content) => {
    setContent(next)
    setErrorCode(null)
  }
  const show = (read: Parsed) => write({ ...shownOf(read, callingCode), narrow: null })
  return {
    text,
    /** Changes with each scan and paste; the next digit replaces their text. */
    taken,
    narrow,
    errorCode,
    setErrorCode,
    /** Whether another key is unlikely: the text is a whole number, or was pasted or scanned. */
    isWhole: taken !== null || (isWhole && !mayGoOn(text)),
    /** What the text means; null while it is unclear or the library is not loaded. */
    parsed: phones === null || typeof parsed === 'string' ? null : parsed,
    clear: () => write(empty),
    /** Narrows this input, or accepts every kind again. The text is kept. */
    choose(next: Method | null) {
      const kept = isNumber(text) ? ungrouped(text) : text
      write({ typed: taken === null || next === null ? kept : typed, taken: null, narrow: next })
    },
    /** @param isNext the present text was already searched for */
    type(next: string, isNext: boolean) {
      const changed = isGrouped(content) && isNumber(next) ? resolveDeletion(text, next) : next
      if (isWhole) rememberTyped(text, next)
      // A method narrows one input; the next one begins with every kind.
      write({ typed: changed, taken: null, narrow: isNext && next === '' ? null : narrow })
    },
    /**
     * A pasted text that is clear replaces the field's; any other is inserted by the browser.
     * @param whole the field's text is selected, or was already searched for
     * @returns whether the paste was handled
     */
    paste(pasted: string, whole: boolean): boolean {
      const read = parse(pasted, readAllOf(phones, callingCodes))
      if (read === null || (!read.clear && !whole && typed !== '')) return false
      show(read)
      return true
    },
    /** Shows a scanned text in the field. @returns its meaning, or null */
    async scan(scanned: string): Promise<Parsed | null> {
      const read = parse(scanned, await loadNumbers())
      if (read === null) {
        write(empty)
        setErrorCode('notMember')
      } else show(read)
      return read
    },
    /** Understands the field's text, or returns the error; waits for the library. */
    read: async () => taken ?? understand(text, await loadNumbers(), narrow),
    /** Everything that the text can be, if it is not narrowed. */
    readAll: async () => parse(text, await loadNumbers()),
  }
}

function contentOf(given: LookUp | null): Content {
  if (given === null) return empty
  const taken: Parsed = { kind: kindOf(given), clear: true, candidates: [given] }
  return { ...shownOf(taken, ''), narrow: null }
}

/** Shows the likeliest meaning; a number of another country includes its code. */
function shownOf(read: Parsed, callingCode: string): Omit<Content, 'narrow'> {
  return { typed: shownText(read.candidates[0], callingCode), taken: read }
}

/** The text for a candidate; a number that only other systems use is masked. */
function shownText(by: Candidate, callingCode: string): string {
  if ('mobile' in by) {
    const { countryCode, mobile } = by
    return countryCode === callingCode ? mobile : `+${countryCode}${mobile}`
  }
  if ('email' in by) return by.email
  if ('cardNumber' in by) return by.cardNumber
  if ('coupon' in by) return by.coupon
  return 'code' in by ? by.code : maskedNumber(null, by.uniCustomerNo)
}

/** Only text that may be a phone number is grouped; a code is shown as it is printed. */
function isGrouped({ taken, narrow }: Content): boolean {
  return taken === null ? narrow === null || narrow === 'mobile' : taken.kind === 'mobile'
}

function grouped(phones: Phones, typed: string, callingCode: string): string {
  return isNumber(toHalfWidth(typed)) ? phones.grouped(typed, callingCode) : typed
}
