import { randomInt } from 'node:crypto'
import {
  checkCharacter,
  couponAlphabet,
  couponRandomLength,
} from '@tillside/contract/rules/coupon-code'

/** A new coupon code: 55 random bits and a check character. */
export function makeCouponCode(): string {
  let code = ''
  for (let n = 0; n < couponRandomLength; n++) {
    code += couponAlphabet.charAt(randomInt(couponAlphabet.length))
  }
  return code + checkCharacter(code)
}
