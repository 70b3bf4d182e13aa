import { useToday } from '../company/calendar.ts'
import { useConfig } from '../company/config.ts'
import { type Mobile, usePhones } from '../member/phones.ts'
import type { Rules } from './check.ts'
import type { ReadMobile } from './values.ts'

/** What a member's data is judged by: the company's day and rule, and the world's numbers. */
export function useRules(): Rules {
  const readMobile = useReadMobile()
  return { today: useToday(), minAge: useConfig()?.birthdayMinAge ?? null, readMobile }
}

/** Reads numbers by their country's rules, or by their length until those have arrived. */
function useReadMobile(): ReadMobile {
  const phones = usePhones()
  return ({ callingCode, number }): Mobile | null => {
    const typed = number.normalize('NFKC')
    if (phones !== null) return phones.read(typed, callingCode)
    const mobile = typed.replace(/[\s().-]/g, '')
    return /^\d{4,15}$/.test(mobile) ? { countryCode: callingCode, mobile } : null
  }
}
