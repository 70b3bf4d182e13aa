import * as z from 'zod/mini'
import { statement, type Transaction } from '../../database/database.ts'
import { decimal } from '@tillside/contract/rules/decimal'
import { shareOfAward, shareOfMoney } from '../../points/earn.ts'
import { typeIn } from '../../points/ledger.ts'
import { boughtSql, returnedSql } from './originals.ts'

// For a promotion on some goods only, `before` and `now` are the returned money of those goods. A
// return without lines counts for all goods of its sale in proportion to their money. The running
// sums are rounded, not the parts, so that all parts add up to the whole.
const readAwards = statement(
  `select e.entry_id, e.transaction_id, e.points, e.amount, p.entry_id is not null as of_goods,
     round(g.before, 4) as before, round(g.before + g.now, 4) - round(g.before, 4) as now
   from point_entry e
   left join point_promotion p on p.company_id = $1 and p.member_id = $2
     and p.entry_id = e.entry_id and p.sku_codes is not null
   cross join lateral (
     select coalesce(sum(part) filter (where transaction_id <> $4), 0) as before,
       coalesce(sum(part) filter (where transaction_id = $4), 0) as now
     from (
       select r.transaction_id,
         case r.line_no when 0 then r.amount * e.amount / p.sale_amount else r.amount end as part
       from transaction_return r
       left join transaction_item i on i.company_id = $1 and i.place = $2
         and i.transaction_id = r.transaction_id and i.line_no = r.line_no
       where r.company_id = $1 and r.place = $2 and r.original_id = e.transaction_id
         and p.entry_id is not null and (r.line_no = 0 or i.sku_code = any (p.sku_codes))
     ) parts
   ) g
   where e.company_id = $1 and e.member_id = $2 and e.transaction_id = any ($3::uuid[])
     and ${typeIn('e.type', 'earned', 'promotionEarned')}
   order by e.seq`,
  z.object({
    entry_id: z.string(),
    transaction_id: z.string(),
    points: z.int(),
    amount: z.nullable(z.string()),
    of_goods: z.boolean(),
    before: z.string(),
    now: z.string(),
  }),
)

/** An entry of points that a sale earned, and the money that earned them. */
export type Award = {
  entryId: string
  transactionId: string
  points: number
  amount: string
  /** For an award on some goods: the returned money of those goods; null for the whole sale. */
  goods: { before: string; now: string } | null
}

/**
 * Reads the awards of these sales, in the order of the entries.
 * @param returnId the current return; its shares are already inserted
 */
export async function awardsOf(
  tx: Transaction,
  companyId: string,
  memberId: string,
  transactionIds: readonly string[],
  returnId: string | null,
): Promise<Award[]> {
  const rows = await tx.all(readAwards, [companyId, memberId, transactionIds, returnId])
  return rows.map((row) => ({
    entryId: row.entry_id,
    transactionId: row.transaction_id,
    points: row.points,
    amount: row.amount ?? '0',
    goods: row.of_goods ? { before: row.before, now: row.now } : null,
  }))
}

// The redemptions that paid for a sale: a clerk entered its invoice number. A sale without other
// money is returned by its goods; a return without lines is then the whole sale.
const readPaid = statement(
  `select e.entry_id, -e.points as points, e.amount,
     s.bought, s.returned, s.sold, s.back, coalesce((
     select sum(r.points) from point_return r where r.company_id = $1 and r.member_id = $2
       and r.kind = 'paid' and r.entry_id = e.entry_id), 0)::bigint as before
   from (
     select t.invoice_number, t.store_code, ${boughtSql} as bought, ${returnedSql} as returned,
       coalesce((select sum(i.quantity) from transaction_item i where i.company_id = $1
         and i.place = $2 and i.transaction_id = t.transaction_id and i.quantity > 0), 0) as sold,
       coalesce((select sum(r.quantity) filter (where r.line_no > 0) from transaction_return r
         where r.company_id = $1 and r.place = $2 and r.original_id = t.transaction_id
         having count(*) filter (where r.line_no = 0) = 0), 1e9) as back
     from transaction t
     where t.company_id = $1 and t.place = $2 and t.member_id = $2
       and t.transaction_id = any ($3::uuid[])
   ) s join point_entry e on e.company_id = $1 and e.member_id = $2
     and ${typeIn('e.type', 'redeemTransaction')} and e.invoice_number = s.invoice_number
     and e.store_code = coalesce(s.store_code, e.store_code)
   where not exists (
     select from point_entry c where c.company_id = $1 and c.member_id = $2
       and c.reverses = e.entry_id and c.transaction_id is null)
   order by e.seq`,
  z.object({
    entry_id: z.string(),
    points: z.int(),
    amount: z.nullable(z.string()),
    bought: z.string(),
    returned: z.string(),
    sold: z.string(),
    back: z.string(),
    before: z.int(),
  }),
)

/**
 * Reads the points that paid for these sales and that come back with the goods returned so far,
 * less those that came back earlier. `amount`: the money that they had paid.
 */
export async function paidFor(
  tx: Transaction,
  companyId: string,
  memberId: string,
  transactionIds: readonly string[],
): Promise<{ entryId: string; points: number; amount: string | null }[]> {
  const rows = await tx.all(readPaid, [companyId, memberId, transactionIds])
  return rows.flatMap((row) => {
    const isFree = decimal(row.bought).units <= 0n
    const [whole, part] = isFree ? [row.sold, row.back] : [row.bought, row.returned]
    const points = shareOfAward(row.points, whole, '0', part) - row.before
    if (points <= 0) return []
    const amount = row.amount && shareOfMoney(row.amount, row.points, row.before, points)
    return [{ entryId: row.entry_id, points, amount }]
  })
}
