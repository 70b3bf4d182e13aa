import { ok, type Tillside } from '@tillside/client'
import type { Customer } from '../goods.ts'

/** The customer with this phone number, and the coupons that the store may redeem now. */
export async function findCustomer(
  tillside: Tillside,
  body: { countryCode: string; mobile: string },
): Promise<Customer> {
  const { member, points, tier } = await ok(tillside.POST('/members/find', { body }))
  const { memberCode } = member
  const params = { path: { memberCode }, query: { status: 'ISSUED' as const, limit: 100 } }
  const { items } = await ok(tillside.GET('/members/{memberCode}/coupons', { params }))
  return {
    memberCode,
    name: `${member.firstName} ${member.lastName}`.trim(),
    tier: tier.name,
    points: points.valid,
    coupons: items
      .filter((coupon) => coupon.redeemable)
      .map(({ code, name, kind, value }) => ({ code, name, kind, value })),
  }
}
