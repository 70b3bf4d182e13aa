import { parsePhoneNumberFromString } from 'libphonenumber-js/max'

// Mobile numbers and e-mail addresses normalised for comparison.

/**
 * Normalises a number to E.164 (ITU-T): `+`, calling code and national number without a trunk
 * prefix, so `0912 345 678` in Taiwan and `912345678` are the same number. A number outside every
 * numbering plan keeps its digits.
 */
export function mobileKey(countryCode: string, mobile: string): string {
  const typed = `+${countryCode}${mobile}`
  return parsePhoneNumberFromString(typed)?.number ?? typed
}

/** Normalises a valid number of this country to E.164; null for any other. */
export function validMobileKey(countryCode: string, mobile: string): string | null {
  const parsed = parsePhoneNumberFromString(`+${countryCode}${mobile}`)
  if (parsed === undefined || !parsed.isValid()) return null
  return parsed.countryCallingCode === countryCode ? parsed.number : null
}

/** Normalises an address for comparing without case. */
export function emailKey(email: string): string {
  return email.normalize('NFC').toLowerCase()
}
