import { useEffect, useState } from 'react'
import { useConfig } from '../company/config.ts'
import { session } from '../kit/session.ts'

type Library = typeof import('libphonenumber-js/min')

export type Mobile = { countryCode: string; mobile: string }

export type Phones = {
  /** The number in the groups of its country, as far as it has been typed. */
  grouped: (text: string, callingCode: string) => string
  /** The number that was meant, or null while it is not a whole one. */
  read: (text: string, callingCode: string) => Mobile | null
}

let asked: Promise<Phones> | null = null

/** The rules of the world's numbers: 30 KiB that no screen waits for. */
export function loadPhones(): Promise<Phones> {
  asked ??= import('libphonenumber-js/min').then(phonesOf)
  // A network that was away may be back for the next one who asks.
  asked.catch(() => {
    asked = null
  })
  return asked
}

/** Made from the library, which a test can hand over. */
export function phonesOf({ AsYouType, parsePhoneNumberFromString }: Library): Phones {
  return {
    grouped: (text, callingCode) => new AsYouType({ defaultCallingCode: callingCode }).input(text),
    read(text, callingCode) {
      const number = parsePhoneNumberFromString(text, { defaultCallingCode: callingCode })
      if (!number?.isValid()) return null
      return { countryCode: number.countryCallingCode, mobile: number.nationalNumber }
    },
  }
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
  const [chosen, setChosen] = useState(() => localStorage.getItem(codeKey()))
  const callingCodes = useConfig()?.callingCodes ?? []
  const remembered = callingCodes.find((code) => code === chosen)
  return {
    callingCodes,
    callingCode: remembered ?? callingCodes[0] ?? '1',
    chooseCallingCode: (code: string) => {
      localStorage.setItem(codeKey(), code)
      setChosen(code)
    },
  }
}
