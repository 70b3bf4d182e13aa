import * as z from 'zod/mini'
import { statement, type Transaction } from '../../database/database.ts'
import { shareOfMoney } from '../../points/earn.ts'
import { typeIn } from '../../points/ledger.ts'
import type { ReturnAsk } from '../../points/replay/plan.ts'
import { boughtSql, returnedSql } from './originals.ts'

// Functions of migration 0123.
const readAwards = statement(
  'select lot_id, points, amount from returned_awards($1, $2, $3, $4, $5)',
  z.object({ lot_id: z.string(), points: z.int(), amount: z.string() }),
)

/**
 * Reads the awards of these sales, in the order of the entries, with the points that a return takes
 * of each and the money that had earned them.
 * @param returnId the return; its parts are already inserted
 * @param places the decimals of money
 */
export async function returnedAwards(
  tx: Transaction,
  companyId: string,
  memberId: string,
  transactionIds: readonly string[],
  { returnId, places }: { returnId: string | null; places: number },
): Promise<ReturnAsk['awards']> {
  const rows = await tx.all(readAwards, [companyId, memberId, transactionIds, returnId, places])
  return rows.map(({ lot_id: lotId, points, amount }) => ({ lotId, points, amount }))
}

// The redemptions that paid for a sale: a clerk entered its invoice number. A sale without other
// money is returned by its goods; a return without lines is then the whole sale.
const readPaid = statement(
  `select e.entry_id, -e.points as points, e.amount,
     case when s.bought <= 0 then share_of_award(-e.points, s.sold, 0, s.back)
       else share_of_award(-e.points, s.bought, 0, s.returned) end as returned, coalesce((
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
    returned: z.int(),
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
    const points = row.returned - row.before
    if (points <= 0) return []
    const amount = row.amount && shareOfMoney(row.amount, row.points, row.before, points)
    return [{ entryId: row.entry_id, points, amount }]
  })
}
