// Patterns of contacts. The schemas in `wire/shapes.ts`, which validate typed contacts, are made of
// them.

/** A calling code without `+` (ITU-T E.164). */
export const callingCodePattern = /^[1-9]\d{0,3}$/
/** The national number, digits only. */
export const nationalNumberPattern = /^\d{4,15}$/
/**
 * Any address from another system: some text, `@`, and a domain with a dot. An address typed by a
 * clerk must match the stricter `Email`.
 */
export const emailPattern = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/**
 * Reads a national number as typed, without spaces, dots, hyphens and brackets; null when it has
 * other characters or a wrong number of digits.
 */
export function readNationalNumber(typed: string): string | null {
  const digits = typed.normalize('NFKC').replaceAll(/[\s().\p{Pd}]/gu, '')
  return nationalNumberPattern.test(digits) ? digits : null
}
