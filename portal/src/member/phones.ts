import { readNationalNumber } from '@tillside/contract/rules/contact'
import { useEffect, useState } from 'react'
import { useConfig } from '../company/config.ts'
import { session } from '../kit/call/session.ts'
import { deviceStorage } from '../kit/store/storage.ts'

type Library = typeof import('libphonenumber-js/min')

export type Mobile = { countryCode: string; mobile: string }

export type Phones = {
  /** The number in its country's groups, as far as it has been typed. */
  grouped: (text: string, callingCode: string) => string
  /**
   * The number, or null if it is not complete.
   * @param others other countries to try; accepted if the text is valid in exactly one of them
   */
  read: (text: string, callingCode: string, others?: readonly string[]) => Mobile | null
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
  return {
    grouped: (text, callingCode) => new AsYouType({ defaultCallingCode: callingCode }).input(text),
    read(text, callingCode, others = []) {
      const own = parse(text, callingCode)
      const digits = text.normalize('NFKC').replaceAll(/[^\d+]/g, '')
      if (own !== null || digits.startsWith('+')) return own
      // First with the international prefix 00; then as national mobile numbers of the other
      // countries.
      if (digits.startsWith('00')) return parse(`+${digits.slice(2)}`, callingCode)
      const abroad = others.filter((code) => code !== callingCode)
      const nationalMatches = abroad.filter((code) => nationalMobiles[code]?.test(digits))
      return (
        onlyMatch(nationalMatches.map((code) => parse(digits, code))) ??
        onlyMatch(
          abroad.filter((code) => digits.startsWith(code)).map(() => parse(`+${digits}`, '')),
        )
      )
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

function onlyMatch(numbers: readonly (Mobile | null)[]): Mobile | null {
  const [first = null, ...rest] = numbers
  return rest.length === 0 ? first : null
}

/** Reads a number without the library: its digits, if their count is possible. */
export function plainMobile(text: string, callingCode: string): Mobile | null {
  const mobile = readNationalNumber(text)
  return mobile === null ? null : { countryCode: callingCode, mobile }
}

/** Reads numbers of the first country, and of the others if exactly one of them fits. */
export function readerOf(
  phones: Phones | null,
  callingCode: string,
  others: readonly string[],
): (text: string) => Mobile | null {
  return (text) =>
    phones ? phones.read(text, callingCode, others) : plainMobile(text, callingCode)
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

const codeKey = () => session.keyOf('calling-code')

/**
 * The countries of the company's members' numbers, and the one that was last used on this device.
 */
export function useCallingCode() {
  const [chosen, setChosen] = useState(() => deviceStorage.getItem(codeKey()))
  const callingCodes = useConfig()?.callingCodes ?? []
  const remembered = callingCodes.find((code) => code === chosen)
  return {
    callingCodes,
    callingCode: remembered ?? callingCodes[0] ?? '1',
    chooseCallingCode: (code: string) => {
      deviceStorage.setItem(codeKey(), code)
      setChosen(code)
    },
  }
}
