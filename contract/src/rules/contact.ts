// The forms of contacts, as patterns: what is read from a person is checked by the schemas of
// `wire/shapes.ts`, which are made of these.

/** A calling code without `+` (ITU-T E.164). */
export const callingCodePattern = /^[1-9]\d{0,3}$/
/** The national number, digits only. */
export const nationalNumberPattern = /^\d{4,15}$/
/**
 * Any address that another system may have sent: something, `@`, and a domain with a dot. What a
 * clerk types must fit the stricter `Email`.
 */
export const emailPattern = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/**
 * A national number from what a person typed, without the gaps, dots, hyphens and brackets that
 * group it; null when it has other characters or too few or too many digits.
 */
export function readNationalNumber(typed: string): string | null {
  const digits = typed.normalize('NFKC').replaceAll(/[\s().\p{Pd}]/gu, '')
  return nationalNumberPattern.test(digits) ? digits : null
}
