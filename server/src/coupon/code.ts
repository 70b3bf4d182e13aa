import { randomInt } from 'node:crypto'

// Crockford's base 32: no I, L, O or U, so that nothing looks like something else and no word
// appears.
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const randomLength = 11

/**
 * A new coupon code: 55 random bits and a check character (Luhn mod N with N = 32, ISO/IEC 7812-1
 * annex B widened).
 */
export function makeCouponCode(): string {
  let code = ''
  for (let n = 0; n < randomLength; n++) code += alphabet.charAt(randomInt(alphabet.length))
  return code + checkCharacter(code)
}

/**
 * The last character of a code, which catches one wrong character and nearly every swap of
 * neighbours.
 */
export function checkCharacter(code: string): string {
  const base = alphabet.length
  let sum = 0
  for (let n = 0; n < code.length; n++) {
    const value = alphabet.indexOf(code.charAt(code.length - 1 - n)) * (n % 2 === 0 ? 2 : 1)
    sum += Math.floor(value / base) + (value % base)
  }
  return alphabet.charAt((base - (sum % base)) % base)
}

/**
 * A code as it is stored, from one that somebody typed: any width and case, groups, and the
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
