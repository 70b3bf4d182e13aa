/**
 * The kinds of keys by which a member is found; each is a row of `member_key` with a normalised
 * value.
 */
export type KeyKind = 'code' | 'card' | 'mobile' | 'email' | 'uni'

/** Normalises codes, card numbers and customer numbers: upper case, without spaces and hyphens. */
export function codeKey(code: string): string {
  return code.normalize('NFKC').replaceAll(/[\s-]/g, '').toUpperCase()
}
