import { parsePhoneNumberFromString } from 'libphonenumber-js/max'

// A mobile number and an e-mail address as they are compared, whatever way they were typed, and as
// they are told where nobody needs all of them.

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

/** What a masked contact is made of; it must never be taken for one. */
export const maskCharacter = '•'

/** The last four digits of a number, or two of one so short that four would be most of it. */
export function maskedMobile(mobile: string | null): string | null {
  if (mobile === null) return null
  return maskCharacter.repeat(4) + mobile.slice(mobile.length > 6 ? -4 : -2)
}

/** The first character of an address, and where it is. */
export function maskedEmail(email: string | null): string | null {
  if (email === null) return null
  const [first = ''] = Array.from(email)
  return first + maskCharacter.repeat(3) + email.slice(email.lastIndexOf('@'))
}
