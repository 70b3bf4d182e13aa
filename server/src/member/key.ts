import { parsePhoneNumberFromString } from 'libphonenumber-js/max'

/** The ways to find a member; every one is a row of `member_key` with a normalised value. */
export type KeyKind = 'code' | 'card' | 'mobile' | 'email' | 'uni'

/**
 * E.164 (ITU-T): `+`, calling code and national number without a trunk prefix, so `0912 345 678` in
 * Taiwan and `912345678` are one number. What no numbering plan knows keeps its digits and finds
 * nobody.
 */
export function mobileKey(countryCode: string, mobile: string): string {
  const typed = `+${countryCode}${mobile}`
  return parsePhoneNumberFromString(typed)?.number ?? typed
}

/** Compared without case. */
export function emailKey(email: string): string {
  return email.normalize('NFC').toLowerCase()
}

/**
 * Codes, card and customer numbers: upper case, without the spaces and hyphens that people group
 * them with.
 */
export function codeKey(code: string): string {
  return code.normalize('NFKC').replaceAll(/[\s-]/g, '').toUpperCase()
}
