// The form of coupon codes. The server makes them, and the portal distinguishes them from card
// numbers.

/** Crockford's base 32: no I, L, O or U, which look like other characters. */
export const couponAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** The number of random characters, without the check character. */
export const couponRandomLength = 11

/**
 * The check character of a code (Luhn mod N with N = 32, after ISO/IEC 7812-1, annex B). It detects
 * one wrong character and nearly every swap of neighbours.
 */
export function checkCharacter(code: string): string {
  const base = couponAlphabet.length
  let sum = 0
  for (let n = 0; n < code.length; n++) {
    const value = couponAlphabet.indexOf(code.charAt(code.length - 1 - n)) * (n % 2 === 0 ? 2 : 1)
    sum += Math.floor(value / base) + (value % base)
  }
  return couponAlphabet.charAt((base - (sum % base)) % base)
}

/**
 * Normalises a typed or scanned code to its stored form: any width and case, groups, and the
 * look-alikes O, I and L.
 */
export function readCouponCode(typed: string): string {
  return typed
    .normalize('NFKC')
    .replaceAll(/[\s\p{Pd}]/gu, '')
    .toUpperCase()
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1')
}

const ownCode = new RegExp(`^[${couponAlphabet}]{${couponRandomLength + 1}}$`)

/** Whether a text is a code made by this product, by its length and check character. */
export function isCouponCode(typed: string): boolean {
  const code = readCouponCode(typed)
  return ownCode.test(code) && checkCharacter(code.slice(0, -1)) === code.slice(-1)
}
