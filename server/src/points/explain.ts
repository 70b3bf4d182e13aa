import type { explainPoints } from '@tillside/contract/points'
import * as z from 'zod/mini'
import { settingsOf } from '../company/settings.ts'
import type { AheadVerb } from '../kit/context.ts'
import { statement } from '../kit/database.ts'
import { plainText } from '../kit/decimal.ts'
import { readTotals } from './totals.ts'

// Burn order, as in lots.ts. Nobody reads more than so many aloud.
const readLots = statement(
  `select l.points, l.remaining, l.active_from, l.expires_on, e.earn_date, e.invoice_number, e.type
   from point_lot l
   join point_entry e on e.company_id = l.company_id and e.member_id = l.member_id
     and e.entry_id = l.lot_id
   where l.company_id = $1 and l.member_id = $2 and l.remaining > 0
   order by l.expires_on nulls last, l.earned_at, l.lot_id limit 500`,
  z.object({
    points: z.int(),
    remaining: z.int(),
    active_from: z.string(),
    expires_on: z.nullable(z.string()),
    earn_date: z.nullable(z.string()),
    invoice_number: z.nullable(z.string()),
    type: z.int(),
  }),
)
const readMultiplier = statement(
  `select t.multiplier from member_tier mt join tier t using (company_id, tier_code)
   where mt.company_id = $1 and mt.member_id = $2`,
  z.object({ multiplier: z.string() }),
)

/**
 * Why the balance is what it is: the first 500 lots that hold points, in burn order, and the rule
 * that makes new ones for this member.
 */
export const explain: AheadVerb<typeof explainPoints, string | null> = async (
  context,
  _query,
  memberId,
) => {
  const { tx, company, today } = context
  if (memberId === null) return context.fail('memberUnknown')
  const [totals, lots, { multiplier }, settings] = await Promise.all([
    readTotals(tx, company.id, memberId, today),
    tx.all(readLots, [company.id, memberId]),
    tx.one(readMultiplier, [company.id, memberId]),
    settingsOf(tx, company),
  ])
  const { perUnit, pendingDays, expiry } = settings.points
  return {
    balance: totals.balance,
    valid: totals.valid,
    pending: totals.pending,
    lots: lots.map((lot) => ({
      points: lot.points,
      remaining: lot.remaining,
      earnDate: lot.earn_date,
      activeFrom: lot.active_from,
      expiryDate: lot.expires_on,
      invoiceNumber: lot.invoice_number,
      type: lot.type,
    })),
    rule: {
      perUnit: plainText(perUnit),
      multiplier: plainText(multiplier),
      pendingDays,
      expiry: expiry.kind,
      months: expiry.kind === 'months' ? expiry.months : null,
    },
  }
}
