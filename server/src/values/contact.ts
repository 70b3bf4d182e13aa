import { parsePhoneNumberFromString } from 'libphonenumber-js/max'

// A mobile number and an e-mail address as they are compared, in whatever form they were typed.

/**
 * E.164 (ITU-T): `+`, calling code and national number without a trunk prefix, so `0912 345 678` in
 * Taiwan and `912345678` are one number. What no numbering plan knows keeps its digits and finds
 * nobody.
 */
export function mobileKey(countryCode: string, mobile: string): string {
  const typed = `+${countryCode}${mobile}`
  return parsePhoneNumberFromString(typed)?.number ?? typed
}

/** The same for a number that somebody can be called at in that very country, else null. */
export function validMobileKey(countryCode: string, mobile: string): string | null {
  const parsed = parsePhoneNumberFromString(`+${countryCode}${mobile}`)
  if (parsed === undefined || !parsed.isValid()) return null
  return parsed.countryCallingCode === countryCode ? parsed.number : null
}

/** Compared without case. */
export function emailKey(email: string): string {
  return email.normalize('NFC').toLowerCase()
}
