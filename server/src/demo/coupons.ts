import * as z from 'zod/mini'
import type { Definition } from '../company/definition.ts'
import { issueCoupons } from '../coupon/issue.ts'
import { statement, type Transaction } from '../database/database.ts'
import type { NewMember } from '../member/create.ts'
import type { DemoContext } from './history.ts'

// The redeem verb always uses the current time; the demo also needs redemptions in the past.
const insertPastRedemptions = statement(
  `with redeemed as (
     select * from unnest($2::text[], $3::uuid[], $4::timestamptz[])
       as r (coupon_code, member_id, at)
   ), used as (
     update coupon c set used = true from redeemed r
     where c.company_id = $1 and c.coupon_code = r.coupon_code
   )
   insert into coupon_redemption (company_id, coupon_code, member_id, store_code, staff_id,
     redeemed_at)
   select $1, coupon_code, member_id, $5, $6, at from redeemed`,
  z.unknown(),
)

/**
 * A coupon to issue: `issued` and `used` are days before today; `used` is null for an unused one.
 */
type Plan = { couponId: string; issued: number; used: number | null }
type Owner = { memberId: string; member: NewMember; index: number }
type Redeemed = { code: string; memberId: string; at: string }

/** Gives the members coupons in every status and marks the used ones. */
export async function giveCoupons(
  tx: Transaction,
  companyId: string,
  context: DemoContext,
  owners: readonly Owner[],
  staffId: string,
): Promise<void> {
  const { definition, clock } = context
  const redeemed: Redeemed[] = []
  for (const owner of owners) {
    const plans = owner.index === 0 ? showcasePlans(definition) : plansFor(definition, owner.index)
    const given = await Promise.all(
      plans
        .filter(({ issued }) => clock.daysAgo(issued) >= owner.member.registrationDate)
        .map((plan) => giveOne(tx, companyId, context, owner.memberId, plan, staffId)),
    )
    redeemed.push(...given.filter((one) => one !== null))
  }
  await tx.run(insertPastRedemptions, [
    companyId,
    redeemed.map((one) => one.code),
    redeemed.map((one) => one.memberId),
    redeemed.map((one) => one.at),
    definition.stores[0]?.code,
    staffId,
  ])
}

async function giveOne(
  tx: Transaction,
  companyId: string,
  { definition, clock }: DemoContext,
  memberId: string,
  { couponId, issued, used }: Plan,
  staffId: string,
): Promise<Redeemed | null> {
  const coupon = definition.coupons.find(({ id }) => id === couponId)
  const today = clock.daysAgo(issued)
  const result = await issueCoupons(
    tx,
    { id: companyId },
    {
      memberId,
      couponId,
      quantity: 1,
      at: clock.at(today, 14 * 60),
      today,
      storeCode: coupon?.issueStores?.[0] ?? definition.stores[0]?.code ?? '',
      staffId,
      paidWithPoints: false,
    },
  )
  if (result.outcome === 'refused') throw new Error(`${couponId} was not issued: ${result.reason}`)
  const [code = ''] = result.codes
  return used === null ? null : { code, memberId, at: clock.at(clock.daysAgo(used), 16 * 60) }
}

/** Four usable coupons, of which the first expires in three days; two used; one expired. */
function showcasePlans(definition: Definition): Plan[] {
  const { welcome, birthday, percent, stocked, house } = couponIdsOf(definition)
  return [
    { couponId: birthday, issued: 27, used: null },
    { couponId: percent, issued: 10, used: null },
    { couponId: stocked, issued: 5, used: null },
    { couponId: house, issued: 60, used: null },
    { couponId: welcome, issued: 300, used: 280 },
    { couponId: percent, issued: 100, used: 80 },
    { couponId: percent, issued: 200, used: null },
  ]
}

/**
 * A different mix of coupons for each member. Coupons from before the registration are left out
 * later.
 */
function plansFor(definition: Definition, index: number): Plan[] {
  const { welcome, birthday, percent, stocked, house, later, oneStore } = couponIdsOf(definition)
  const every = (step: number, rest: number, plan: Plan): Plan[] =>
    index % step === rest ? [plan] : []
  return [
    ...(index % 3 === 0 ? [] : [{ couponId: percent, issued: index % 44, used: null }]),
    ...every(4, 0, { couponId: welcome, issued: 59, used: 1 + (index % 50) }),
    ...every(4, 2, { couponId: welcome, issued: 59, used: null }),
    ...every(5, 1, { couponId: percent, issued: 100 + index, used: null }),
    ...every(5, 3, { couponId: percent, issued: 100 + index, used: 80 + index }),
    ...every(6, 1, { couponId: birthday, issued: index % 30, used: null }),
    ...every(10, 2, { couponId: later, issued: index % 3, used: null }),
    ...every(12, 3, { couponId: oneStore, issued: 20, used: null }),
    ...every(9, 0, { couponId: house, issued: 200, used: null }),
    ...every(25, 5, { couponId: stocked, issued: 12, used: null }),
  ]
}

/** The coupon ids of a demo company's file. @throws Error if the file lacks one of them */
function couponIdsOf({ identifier, coupons }: Definition) {
  const find = (test: (coupon: Definition['coupons'][number]) => boolean): string => {
    const found = coupons.find(test)
    if (found === undefined) throw new Error(`${identifier} lacks a coupon that the demo needs`)
    return found.id
  }
  return {
    welcome: find(({ id }) => id === 'WELCOME'),
    birthday: find(({ id }) => id === 'BIRTHDAY'),
    percent: find(
      ({ kind, validity }) => kind === 'percent' && 'days' in validity && validity.after === 0,
    ),
    stocked: find(({ stock, pointsCost }) => stock !== null && stock > 0 && pointsCost === null),
    house: find(({ id }) => id === 'HOUSE'),
    later: find(({ validity }) => 'days' in validity && validity.after > 0),
    oneStore: find(({ redeemStores }) => redeemStores !== null),
  }
}
