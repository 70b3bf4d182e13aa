import type { explainTier } from '@tillside/contract/tier'
import type { Data, Input } from '@tillside/contract/wire/endpoint'
import * as z from 'zod/mini'
import { Texts, textIn } from '../company/definition.ts'
import { decimalsOf, settingsOf } from '../company/settings.ts'
import type { Context } from '../database/context.ts'
import { statement } from '../database/database.ts'
import { readIfKnown } from '../member/look-up.ts'
import { decimal, minus, plus, zero } from '@tillside/contract/rules/decimal'
import { moneyText } from '@tillside/contract/rules/money'
import { readStanding } from '../tier/standing.ts'
import { windowStart } from '../tier/window.ts'

const shown = 100

const readWindow = statement(
  `select w.first_day, count(q.amount)::int as rows, coalesce(sum(q.amount), 0.00) as spent
   from (select ${windowStart('$3::date', '$4::text')} as first_day) w
   left join qualifying_spend q on q.company_id = $1 and q.member_id = $2
     and q.spent_on between w.first_day and $3
   group by w.first_day`,
  z.object({ first_day: z.string(), rows: z.int(), spent: z.string() }),
)
const readSpend = statement(
  `select q.spent_on, t.invoice_number, q.amount
   from qualifying_spend q left join transaction t
     on t.company_id = $1 and t.place = $2 and t.transaction_id = q.transaction_id
   where q.company_id = $1 and q.member_id = $2
     and q.spent_on between ${windowStart('$3::date', '$4::text')} and $3
   order by q.spent_on desc, q.transaction_id desc limit ${shown}`,
  z.object({
    spent_on: z.string(),
    invoice_number: z.nullable(z.string()),
    amount: z.string(),
  }),
)

// The audit keeps the receipt that was the reason. A tier that the company removed is stopped, not
// deleted, so both tiers have names.
const readReevaluated = statement(
  `select a.at, a.details ->> 'invoiceNumber' as invoice_number,
     f.names as "from", t.names as "to"
   from audit a
   join tier f on f.company_id = $1 and f.tier_code = a.details ->> 'from'
   join tier t on t.company_id = $1 and t.tier_code = a.details ->> 'code'
   where a.company_id = $1 and a.place = $2 and a.member_id = $2
     and a.action = 'tier.reevaluate' and f.tier_code <> t.tier_code
   order by a.at desc limit 3`,
  z.object({ at: z.string(), invoice_number: z.nullable(z.string()), from: Texts, to: Texts }),
)

/**
 * Explains the gap to the next tier: lists the qualifying spend in the window that ends today,
 * newest first, at most 100 rows. `more` and `moreAmount` sum up the others. Names the returns that
 * changed the tier.
 */
export async function explain(
  context: Context<typeof explainTier>,
  _query: Input<typeof explainTier>,
  memberId: string | null,
): Promise<Data<typeof explainTier>> {
  const { tx, company, today, language } = context
  const settings = await settingsOf(tx, company)
  const kind = settings.tierRules.window
  const [standing, window, rows, reevaluated] = await readIfKnown(context, memberId, (member) =>
    Promise.all([
      readStanding(tx, company, member, today, settings, language),
      tx.one(readWindow, [company.id, member, today, kind]),
      tx.all(readSpend, [company.id, member, today, kind]),
      tx.all(readReevaluated, [company.id, member]),
    ]),
  )
  const listed = rows.reduce((sum, row) => plus(sum, decimal(row.amount)), zero)
  return {
    standing,
    window: { from: window.first_day, to: today, kind },
    spend: rows.map((row) => ({
      date: row.spent_on,
      invoiceNumber: row.invoice_number,
      amount: row.amount,
    })),
    more: window.rows - rows.length,
    moreAmount: moneyText(minus(decimal(window.spent), listed), decimalsOf(settings)),
    reevaluated: reevaluated.map((row) => ({
      at: row.at,
      invoiceNumber: row.invoice_number,
      from: textIn(row.from, language, settings),
      to: textIn(row.to, language, settings),
    })),
  }
}
