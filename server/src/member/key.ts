/** The ways to find a member; every one is a row of `member_key` with a normalised value. */
export type KeyKind = 'code' | 'card' | 'mobile' | 'email' | 'uni'

/**
 * Codes, card and customer numbers: upper case, without the spaces and hyphens that people group
 * them with.
 */
export function codeKey(code: string): string {
  return code.normalize('NFKC').replaceAll(/[\s-]/g, '').toUpperCase()
}
