import type { Coupon } from '@tillside/contract/coupon'
import type { Settings } from '../../company/definition.ts'
import type { Held } from '../../database/context.ts'
import type { Language } from '@tillside/contract/wire/language'
import { makeCouponCode } from '../code.ts'
import { couponOf, noStores } from '../coupon.ts'
import { type IssuableDefinition, validityFrom } from './definitions.ts'
import { anyCoupon } from './template.ts'

type Order = {
  caller: Held['caller']
  language: Language
  input: { couponId: string; quantity: number }
}

/** New coupons of an order that is issued today: their codes, their days, and their answers. */
export function preparedCoupons(
  { caller, language, input }: Order,
  definition: IssuableDefinition,
  settings: Settings,
): { coupons: Coupon[]; codes: string[]; start: string; end: string } {
  const { couponId, quantity } = input
  const codes = Array.from({ length: quantity }, makeCouponCode)
  const { start, end } = validityFrom(definition, caller.today)
  const dates = { issue_date: caller.today, start_date: start, expiry_date: end }
  const terms = { settings, stores: noStores }
  const coupons = codes.map((code) => {
    const of = { coupon_code: code, shown_code: code, coupon_id: couponId, ...dates }
    return couponOf({ ...anyCoupon(language), ...definition, ...of }, caller, terms, language)
  })
  return { coupons, codes, start, end }
}
