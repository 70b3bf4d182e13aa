import * as z from 'zod/mini'
import { statement } from '../../database/database.ts'
import type { Shop } from '../../testing/factories/shop.ts'
import { given } from './course.ts'

// The effects of races.

const countRows = (table: string, condition = 'true') =>
  `(select count(*)::int from ${table} where company_id = $1 and ${condition})`
const countAudits = (action: string) => countRows('audit', `action = '${action}'`)
const countEffects = statement(
  `select ${countRows('coupon_redemption')} as redemptions,
     ${countRows('coupon_redemption', 'cancelled_at is not null')} as undone,
     ${countAudits('coupon.redeem')} as redeem_audits,
     ${countAudits('coupon.cancelRedeem')} as undo_audits,
     ${countAudits('coupon.issue')} as issue_audits,
     ${countAudits('points.redeem')} as spend_audits,
     ${countAudits('points.cancel')} as refund_audits,
     ${countAudits('coupon.issueByPoints')} as paid_audits,
     ${countAudits('transaction.record')} as receipt_audits,
     (select count(distinct coupon_code)::int from coupon_redemption where company_id = $1)
       as redeemed,
     ${countRows('coupon', 'used')} as used,
     ${countRows('coupon')} as coupons,
     ${countRows('coupon', 'entry_id is not null')} as paid,
     ${countRows('coupon', 'voided_reason is not null')} as voided,
     ${countRows('gift_redemption')} as gifts,
     (select issued from stock where company_id = $1 and kind = 'gift' and item_id = 'MUG')
       as handed_out,
     ${countRows('transaction')} as receipts,
     ${countRows('transaction_item')} as items,
     ${countRows('transaction_return')} as returns,
     ${countRows('point_entry')} as entries,
     (select jsonb_agg(distinct balance) from point_account where company_id = $1) as balances`,
  z.unknown(),
)

/** The rows that the races of a shop have left, and the rows that they must leave. */
export async function effectsOf({ database, id }: Shop, rounds: number) {
  const left = await database.reading(id, (tx) => tx.one(countEffects, [id]))
  const times = (counts: Record<string, number>) =>
    Object.entries(counts).map(([name, count]) => [name, count * rounds])
  const wanted = times({
    // One alone, which is undone, and two together.
    redemptions: 3,
    redeemed: 3,
    undone: 1,
    used: 2,
    redeem_audits: 3,
    undo_audits: 1,
    // Three keys each, and three undone: money, gifts, and coupons for points.
    issue_audits: 3,
    spend_audits: 6,
    refund_audits: 3,
    paid_audits: 3,
    // Three redeemed, three keys of two, and three of one for points.
    coupons: 12,
    paid: 3,
    voided: 1,
    // Three keys of two gifts, of which two come back.
    gifts: 3,
    handed_out: 4,
    receipts: 2,
    receipt_audits: 2,
    items: 2,
    returns: 1,
    // Points of the beginning, of the sale and of the return; three spendings of money, of gifts
    // and of coupons, and an undo of each.
    entries: 3 + 3 * (3 + 1),
  })
  const balance = given + 25 - 12 - 2 * 300 - 2 * 100 - 2 * 100
  return { left, wanted: { ...Object.fromEntries(wanted), balances: [balance] } }
}

const countEvents = statement(
  `select event, count(*)::int as events,
     (select count(*)::int from outbox o where o.company_id = $1 and o.event = e.event) as sent
   from event e where company_id = $1 group by event order by event`,
  z.object({ event: z.string(), events: z.int(), sent: z.int() }),
)
const countGaps = statement(
  `select count(*)::int as gaps from (
     select from event where company_id = $1
     group by member_id having max(seq) > count(*)) members`,
  z.object({ gaps: z.int() }),
)

/** The events of a shop whose webhook gets all of them, and the events that there must be. */
export async function eventsOf({ database, id }: Shop, rounds: number) {
  const [counts, { gaps }] = await database.reading(id, (tx) =>
    Promise.all([tx.all(countEvents, [id]), tx.one(countGaps, [id])]),
  )
  const perMember = {
    'coupon.issued': 12,
    'coupon.redeemed': 3,
    'coupon.undone': 1,
    'coupon.voided': 1,
    'member.created': 1,
    'points.changed': 15,
    'transaction.recorded': 2,
  }
  const wanted = Object.entries(perMember).map(([event, count]) => {
    return { event, events: count * rounds, sent: count * rounds }
  })
  return { left: { counts, gaps }, wanted: { counts: wanted, gaps: 0 } }
}
