// How the code of a coupon is built and read: the server makes it, the portal must tell it from a
// card's number without asking.

/** Crockford's base 32: no I, L, O or U, so that nothing looks like something else. */
export const couponAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** Before the check character. */
export const couponRandomLength = 11

/**
 * The last character of a code (Luhn mod N with N = 32, ISO/IEC 7812-1 annex B widened), which
 * catches one wrong character and nearly every swap of neighbours.
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
 * A code as it is stored, from one that somebody typed or scanned: any width and case, groups, and
 * the look-alikes O, I and L.
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

/** Whether a text is a code that this product has made: by its length and its check character. */
export function isCouponCode(typed: string): boolean {
  const code = readCouponCode(typed)
  return ownCode.test(code) && checkCharacter(code.slice(0, -1)) === code.slice(-1)
}
