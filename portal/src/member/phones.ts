import { readNationalNumber } from '@tillside/contract/rules/contact'
import { useEffect, useState } from 'react'
import { useConfig } from '../company/config.ts'

type Library = typeof import('libphonenumber-js/min')

export type Mobile = { countryCode: string; mobile: string }

export type Phones = {
  /** The number in its country's groups, as far as it has been typed. */
  grouped: (text: string, callingCode: string) => string
  /**
   * The number of this country, or of another one after a `+`; null if it is not complete.
   */
  read: (text: string, callingCode: string) => Mobile | null
  /**
   * Every complete number that the text can be, likeliest first.
   * @param callingCodes the countries to try, the store's own first
   */
  readAll: (text: string, callingCodes: readonly string[]) => readonly Mobile[]
  /** Whether it is a complete number of this country, and no longer number begins with it. */
  isWhole: (text: string, callingCode: string) => boolean
}

let loading: Promise<Phones> | null = null

/** Loads the phone number library: 30 KiB, for which no screen waits. */
export function loadPhones(): Promise<Phones> {
  loading ??= import('libphonenumber-js/min').then(phonesOf)
  // Try again at the next call, when the network may be back.
  loading.catch(() => {
    loading = null
  })
  return loading
}

/** Creates the functions from the library; a test can pass it in. */
export function phonesOf({ AsYouType, parsePhoneNumberFromString }: Library): Phones {
  const parse = (text: string, defaultCallingCode: string): Mobile | null => {
    const number = parsePhoneNumberFromString(text, { defaultCallingCode })
    if (!number?.isValid()) return null
    const { countryCallingCode: countryCode, nationalNumber: mobile } = number
    // The library's small data set accepts a mainland China number with a missing digit as a
    // landline.
    if (countryCode === '86' && !nationalMobiles['86']?.test(mobile)) return null
    return { countryCode, mobile }
  }
  const readAll = (text: string, callingCodes: readonly string[]): readonly Mobile[] => {
    const [own = '', ...others] = callingCodes
    const digits = text.normalize('NFKC').replaceAll(/[^\d+]/g, '')
    if (digits.startsWith('+')) return found([parse(text, own)])
    const international = digits.startsWith('00') ? parse(`+${digits.slice(2)}`, own) : null
    const abroad = others.filter((code) => nationalMobiles[code]?.test(digits) ?? true)
    const prefixed = callingCodes.filter((code) => digits.startsWith(code))
    const read = found([
      international,
      parse(text, own),
      ...abroad.map((code) => parse(digits, code)),
      ...prefixed.map(() => parse(`+${digits}`, '')),
    ])
    // The library accepts nearly any digits as a landline of some country, so mobile numbers of
    // another country are likelier than landlines of the own one.
    return [...read.filter(isMobile), ...read.filter((mobile) => !isMobile(mobile))]
  }
  return {
    grouped: (text, callingCode) => new AsYouType({ defaultCallingCode: callingCode }).input(text),
    read: (text, callingCode) => parse(text, callingCode),
    readAll,
    isWhole(text, callingCode) {
      const read = parse(text, callingCode)
      if (read?.countryCode !== callingCode) return false
      // The forms below have one length each.
      if (callingCode in nationalMobiles) return isMobile(read)
      const longer = parsePhoneNumberFromString(`${text}0`, { defaultCallingCode: callingCode })
      return longer?.isPossible() !== true
    },
  }
}

/**
 * Mobile numbers as they are written in their own country, from the national numbering plans. Only
 * these are used to guess a missing country, because the library accepts nearly any digits as a
 * valid landline of some country.
 */
const nationalMobiles: Record<string, RegExp> = {
  '1': /^[2-9]\d{2}[2-9]\d{6}$/,
  '86': /^1[3-9]\d{9}$/,
  '852': /^[4-9]\d{7}$/,
  '853': /^6\d{7}$/,
  '886': /^09\d{8}$/,
}

/** Whether a number has the form of a mobile number, as far as its country is known here. */
function isMobile({ countryCode, mobile }: Mobile): boolean {
  const national = nationalMobiles[countryCode]
  return national === undefined || national.test(mobile) || national.test(`0${mobile}`)
}

/** The numbers that were read, each once. */
function found(read: readonly (Mobile | null)[]): readonly Mobile[] {
  const numbers = read.filter((mobile) => mobile !== null)
  const named = numbers.map((mobile) => [`${mobile.countryCode} ${mobile.mobile}`, mobile] as const)
  return [...new Map(named).values()]
}

/** Reads a number without the library: its digits, if their count is possible. */
export function plainMobile(text: string, callingCode: string): Mobile | null {
  const mobile = readNationalNumber(text)
  return mobile === null ? null : { countryCode: callingCode, mobile }
}

/** Reads numbers of one country, and of others after a `+`. */
export function readerOf(
  phones: Phones | null,
  callingCode: string,
): (text: string) => Mobile | null {
  return (text) => (phones ? phones.read(text, callingCode) : plainMobile(text, callingCode))
}

/** Reads every number that a text can be in the company's countries, likeliest first. */
export function readAllOf(
  phones: Phones | null,
  callingCodes: readonly string[],
): (text: string) => readonly Mobile[] {
  return (text) =>
    phones
      ? phones.readAll(text, callingCodes)
      : found(callingCodes.map((code) => plainMobile(text, code)))
}

/** Null until the screen has been painted and the library is loaded. */
export function usePhones(): Phones | null {
  const [phones, setPhones] = useState<Phones | null>(null)
  useEffect(() => {
    let gone = false
    // Without the library the field does not group, and checks only the length of the number.
    const timer = setTimeout(() => {
      loadPhones().then(
        (loaded) => gone || setPhones(loaded),
        () => undefined,
      )
    })
    return () => {
      gone = true
      clearTimeout(timer)
    }
  }, [])
  return phones
}

/** The countries of the company's members' numbers; the first is the store's own. */
export function useCallingCode() {
  const callingCodes = useConfig()?.callingCodes ?? none
  return { callingCodes, callingCode: callingCodes[0] ?? '1' }
}

const none: readonly string[] = []
