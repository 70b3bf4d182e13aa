import { pointTypes } from '@tillside/contract/wire/codes'
import type { PointEntry } from '@tillside/contract/points'
import * as z from 'zod/mini'
import { counted } from '@tillside/contract/rules/counted'
import { textIn, Texts } from '../company/definition.ts'
import { settingsOf } from '../company/settings.ts'
import type { Context } from '../database/context.ts'
import { statement, type Transaction } from '../database/database.ts'
import { countIssued } from '../points/gift/stock.ts'
import { enqueueBy } from '../outbox/enqueue.ts'

const readBought = statement(
  `select item as coupon_id, quantity as number from bought_by($1, $2, $3, 'coupon')`,
  z.object({ coupon_id: z.string(), number: z.int() }),
)
const makeVoid = statement(
  'select coupon_code from void_bought($1, $2, $3, $4) as coupon_code',
  z.object({ coupon_code: z.string() }),
)

/** The coupons that a debit of points paid for; they are all of one definition. */
export type Bought = z.infer<typeof readBought.row>

/** The coupons that the entry `entryId` of the member paid for; null when it paid for none. */
export async function findBought(
  tx: Transaction,
  companyId: string,
  memberId: string,
  entryId: string,
): Promise<Bought | null> {
  return tx.maybe(readBought, [companyId, memberId, entryId])
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
  const voided = await tx.all(makeVoid, [companyId, memberId, entryId, reason])
  enqueueVoided(tx, companyId, memberId, entryId)
  return voided.length
}

const enqueue = statement('select enqueue_voided($1, $2, $3, $4, $5)', z.unknown())

/** Writes the events of the coupons that an entry paid for, all of which have become void. */
export function enqueueVoided(
  tx: Transaction,
  companyId: string,
  memberId: string,
  entryId: string,
): void {
  enqueueBy(tx, enqueue, [companyId, memberId, entryId])
}

/** Returns void coupons to their definition's stock. */
export async function returnToStock(
  tx: Transaction,
  companyId: string,
  { coupon_id: couponId, number }: Bought,
): Promise<void> {
  await countIssued(tx, companyId, ['coupon', couponId], -number)
}

const readNames = statement(
  `select e.entry_id, d.names, count(*)::int as quantity from point_entry e
   join coupon c on c.company_id = $1 and c.member_id = $2
     and c.entry_id = coalesce(e.reverses, e.entry_id)
   join coupon_definition d on d.company_id = $1 and d.coupon_id = c.coupon_id
   where e.company_id = $1 and e.member_id = $2 and e.entry_id = any ($3::uuid[])
   group by e.entry_id, d.coupon_id, d.names`,
  z.object({ entry_id: z.string(), names: Texts, quantity: z.int() }),
)
const ofCoupons: ReadonlySet<number> = new Set([
  pointTypes.redeemCoupon.code,
  pointTypes.cancelCoupon.code,
])

/** Names the coupons of a member's entries in the clerk's language. */
export async function nameBought(
  { tx, company, language }: Pick<Context, 'tx' | 'company' | 'language'>,
  memberId: string,
  entries: PointEntry[],
): Promise<PointEntry[]> {
  const ids = entries.flatMap(({ id, type }) => (ofCoupons.has(type) ? [id] : []))
  if (ids.length === 0) return entries
  const [rows, settings] = await Promise.all([
    tx.all(readNames, [company.id, memberId, ids]),
    settingsOf(tx, company),
  ])
  const subjects = new Map(
    rows.map((row) => [row.entry_id, counted(textIn(row.names, language, settings), row.quantity)]),
  )
  return entries.map((entry) =>
    Object.assign(entry, { subject: subjects.get(entry.id) ?? entry.subject }),
  )
}
