import { maskedEmail } from '@tillside/contract/rules/person'
import { maskedNumber } from '../../kit/text/name.ts'
import type { Candidate } from '../text/parse.ts'

/** A look-up, masked because customers can see the screen. */
export function maskedLookUp(ask: Candidate): string {
  if ('mobile' in ask) return maskedNumber(ask.countryCode, ask.mobile)
  if ('email' in ask) return maskedEmail(ask.email)
  if ('cardNumber' in ask) return maskedNumber(null, ask.cardNumber)
  if ('code' in ask) return maskedNumber(null, ask.code)
  return maskedNumber(null, 'coupon' in ask ? ask.coupon : ask.uniCustomerNo)
}
