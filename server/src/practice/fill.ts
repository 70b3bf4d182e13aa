import type { Definition } from '../company/definition.ts'
import { changeEpoch } from '../company/epoch.ts'
import { issueCoupons } from '../coupon/issue.ts'
import { writeAudit } from '../database/audit.ts'
import { statement, type Transaction } from '../database/database.ts'
import { inSequence } from '../database/reads/whole.ts'
import { createMembers } from '../register/create.ts'
import { todaySql } from '../database/reads/today.ts'
import { withoutEvents } from '../outbox/acting.ts'
import { readDefinition } from '../setup/rules/read.ts'
import { record } from '../transaction/record.ts'
import * as z from 'zod/mini'
import { type Clock, clockOf } from './clock.ts'
import { practiceMembers } from './members.ts'
import { practiceSales } from './sales.ts'

const empty = statement('call empty_practice($1)', z.unknown())
const readToday = statement(
  `select ${todaySql('company')} as today from company where company_id = $1`,
  z.object({ today: z.string() }),
)

/** A stock below this is only for the first member, so that clerks can still issue the coupon. */
const scarce = 100

/**
 * Deletes the members of a practice company, sets its clock back to the present, and makes its
 * fictitious members again.
 * @param tx a transaction of the database's owner: the program's role may not delete them
 * @returns the number of members
 * @throws Error of the database when the company is a real one; nothing is deleted then
 */
export async function refillPractice(tx: Transaction, companyId: string): Promise<number> {
  // The codes of the new members are those of the old ones.
  changeEpoch(tx, companyId)
  await Promise.all([inSequence(tx), tx.run(empty, [companyId])])
  return fillPractice(tx, companyId)
}

/**
 * Makes the fictitious members of a practice company that has none, with points, tiers and coupons.
 * The result is the same for every run on one day. Webhooks get no events of it.
 * @returns the number of members
 */
export function fillPractice(tx: Transaction, companyId: string): Promise<number> {
  return withoutEvents(() => fill(tx, companyId))
}

async function fill(tx: Transaction, companyId: string): Promise<number> {
  const [{ definition, revision }, { today }] = await Promise.all([
    readDefinition(tx, companyId),
    tx.one(readToday, [companyId]),
  ])
  const company = { id: companyId, revision, timeZone: definition.timeZone }
  const clock = clockOf(definition.timeZone, today)
  const members = practiceMembers(definition, clock)
  const ids = await createMembers(tx, company, members)
  for (const [index, memberId] of ids.entries()) {
    const memberCode = members[index]?.memberCode ?? ''
    for (const receipt of practiceSales(definition, clock, memberCode, index)) {
      const { outcome } = await record(tx, company, memberId, receipt)
      if (outcome !== 'created') throw new Error(`${receipt.invoiceNumber} was ${outcome}`)
    }
    await giveCoupons(tx, companyId, definition, clock, { memberId, index })
  }
  const actor = { company: { id: companyId }, staff: null, store: null }
  const details = { members: ids.length }
  writeAudit(tx, actor, 'practice', { action: 'practice.reset', memberId: null, details })
  return ids.length
}

/** Each member gets most of the free coupons, and the first member all of them. */
async function giveCoupons(
  tx: Transaction,
  companyId: string,
  { coupons, stores }: Definition,
  clock: Clock,
  { memberId, index }: { memberId: string; index: number },
): Promise<void> {
  const shop = stores.find(({ active }) => active)?.code ?? ''
  for (const [number, coupon] of coupons.entries()) {
    const isScarce = coupon.stock !== null && coupon.stock < scarce
    if (coupon.pointsCost !== null) continue
    if (index > 0 && (isScarce || (index + number) % 3 === 0)) continue
    // A refused coupon is out of stock or has ended; the member has the others.
    await issueCoupons(
      tx,
      { id: companyId },
      {
        memberId,
        couponId: coupon.id,
        quantity: 1,
        at: clock.at(clock.today, 0),
        today: clock.today,
        storeCode: coupon.issueStores?.[0] ?? shop,
        staffId: null,
        paidWithPoints: false,
      },
    )
  }
}
