import { useEffect, useState } from 'react'
import { useConfig } from '../company/config.ts'
import { session } from '../kit/call/session.ts'
import { deviceStorage } from '../kit/store/storage.ts'

type Library = typeof import('libphonenumber-js/min')

export type Mobile = { countryCode: string; mobile: string }

export type Phones = {
  /** The number in the groups of its country, as far as it has been typed. */
  grouped: (text: string, callingCode: string) => string
  /**
   * The number that was meant, or null while it is not a whole one.
   * @param others countries whose numbers may also be meant, where the text fits one of them only
   */
  read: (text: string, callingCode: string, others?: readonly string[]) => Mobile | null
}

let loading: Promise<Phones> | null = null

/** The rules of the world's numbers: 30 KiB that no screen waits for. */
export function loadPhones(): Promise<Phones> {
  loading ??= import('libphonenumber-js/min').then(phonesOf)
  // A network that was away may be back for the next one who asks.
  loading.catch(() => {
    loading = null
  })
  return loading
}

/** Made from the library, which a test can hand over. */
export function phonesOf({ AsYouType, parsePhoneNumberFromString }: Library): Phones {
  const parse = (text: string, defaultCallingCode: string): Mobile | null => {
    const number = parsePhoneNumberFromString(text, { defaultCallingCode })
    if (!number?.isValid()) return null
    const { countryCallingCode: countryCode, nationalNumber: mobile } = number
    // The library's small rules take a mainland number that lacks a digit for a line of a house.
    if (countryCode === '86' && !nationalMobiles['86']?.test(mobile)) return null
    return { countryCode, mobile }
  }
  return {
    grouped: (text, callingCode) => new AsYouType({ defaultCallingCode: callingCode }).input(text),
    read(text, callingCode, others = []) {
      const own = parse(text, callingCode)
      const digits = text.normalize('NFKC').replaceAll(/[^\d+]/g, '')
      if (own !== null || digits.startsWith('+')) return own
      // As it is dialled from most countries; then as people of another country write their own.
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
 * How mobile numbers are written at home, by the plans of their countries. A number without its
 * country may be guessed only by these: the library calls nearly any digits a valid line somewhere.
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

/** A number without the library's rules: its digits, if they could be one at all. */
export function plainMobile(text: string, callingCode: string): Mobile | null {
  const mobile = text.normalize('NFKC').replaceAll(/[\s().\p{Pd}]/gu, '')
  return /^\d{4,15}$/.test(mobile) ? { countryCode: callingCode, mobile } : null
}

/** Reads numbers of the first country, and of the others where one fits them only. */
export function readerOf(
  phones: Phones | null,
  callingCode: string,
  others: readonly string[],
): (text: string) => Mobile | null {
  return (text) =>
    phones ? phones.read(text, callingCode, others) : plainMobile(text, callingCode)
}

/** Null until the screen has been painted and the rules have arrived. */
export function usePhones(): Phones | null {
  const [phones, setPhones] = useState<Phones | null>(null)
  useEffect(() => {
    let gone = false
    // Without them the field does not group and the number is checked by its length.
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

/** The countries whose numbers the company's members have, and the one last used on this device. */
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
