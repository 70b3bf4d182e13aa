import * as z from 'zod/mini'
import { statement, type Transaction } from '../database/database.ts'
import { codeKey } from '../member/key.ts'

const readBought = statement(
  `select c.coupon_id, c.member_id, count(*)::int as number from member_key k
   join coupon c using (company_id, member_id)
   where k.company_id = $1 and k.kind = 'code' and k.value = $2 and c.entry_id = $3
   group by c.coupon_id, c.member_id`,
  z.object({ coupon_id: z.string(), member_id: z.string(), number: z.int() }),
)
const lockBought = statement(
  `select from coupon where company_id = $1 and member_id = $2 and entry_id = $3
   order by coupon_code for no key update`,
  z.unknown(),
)
const makeVoid = statement(
  `update coupon set voided_reason = $4
   where company_id = $1 and member_id = $2 and entry_id = $3
     and not used and voided_reason is null`,
  z.unknown(),
)
const returnStock = statement(
  'update coupon_definition set issued = issued - $3 where company_id = $1 and coupon_id = $2',
  z.unknown(),
)

/** The coupons that a debit of points paid for; they are all of one definition. */
export type Bought = z.infer<typeof readBought.row>

/** The coupons that the entry `entryId` of the member paid for; null when it paid for none. */
export async function findBought(
  tx: Transaction,
  companyId: string,
  memberCode: string,
  entryId: string,
): Promise<Bought | null> {
  return tx.maybe(readBought, [companyId, codeKey(memberCode), entryId])
}

/**
 * Makes the unused coupons void that a debit paid for, under the lock of their rows.
 * @returns how many became void
 */
export async function voidBought(
  tx: Transaction,
  companyId: string,
  { memberId, entryId }: { memberId: string; entryId: string },
  reason: string,
): Promise<number> {
  const which = [companyId, memberId, entryId]
  const [, voided] = await Promise.all([
    tx.run(lockBought, which),
    tx.run(makeVoid, [...which, reason]),
  ])
  return voided
}

/** Returns void coupons to their definition's stock. */
export async function returnToStock(
  tx: Transaction,
  companyId: string,
  { coupon_id: couponId, number }: Bought,
): Promise<void> {
  await tx.run(returnStock, [companyId, couponId, number])
}
