import * as z from 'zod/mini'
import { statement, type Transaction } from '../../database/database.ts'
import { lockOf } from '../../database/lock.ts'
import { decimalText } from '@tillside/contract/rules/decimal'
import { wholeCompany } from '../../database/reads/whole.ts'
import { Outdated } from '../../values/outdated.ts'
import { findReceipt, type ReceiptName } from '../receipt-key.ts'
import { type ReturnedLine, returnedLines, sidesOf, type TransactionInput } from '../input.ts'
import {
  allOf,
  type Assignment,
  type Candidate,
  newestOf,
  type Named,
  type Original,
} from './assign.ts'

/** SQL: the net spend of the sale `t` at place `$2`; for an exchange, the bought side only. */
export const boughtSql = `t.net_spend + case t.invoice_type when 'exchange' then coalesce((
  select -sum(i.spend) from transaction_item i
  where i.company_id = $1 and i.place = $2 and i.transaction_id = t.transaction_id
    and i.spend < 0), 0) else 0 end`
/** SQL: how much of that amount was returned. */
export const returnedSql = `coalesce((select sum(r.amount) from transaction_return r
  where r.company_id = $1 and r.place = $2 and r.original_id = t.transaction_id), 0)`
const bought = `${boughtSql} as bought`
const returned = `${returnedSql} as returned`

const readNamed = statement(
  `select member_id as "memberId",
     status = 'completed' and invoice_type <> 'return' as "canReturn"
   from transaction where company_id = $1 and place = $2 and transaction_id = $3`,
  z.object({ memberId: z.nullable(z.string()), canReturn: z.boolean() }),
)
// The sale is locked before its returns are summed, so that two concurrent returns cannot return
// the same money twice.
const lockSale = lockOf(
  'transaction',
  ['company_id', 'place', 'transaction_id'],
  `select from transaction
   where company_id = $1 and place = $2 and transaction_id = $3 for no key update`,
  z.unknown(),
)
const readSale = statement(
  `select ${bought}, ${returned} from transaction t
   where t.company_id = $1 and t.place = $2 and t.transaction_id = $3`,
  z.object({ bought: z.string(), returned: z.string() }),
)
// A function of migration 0123.
const readPieces = statement(
  'select has_pieces($1, $2, $3, $4, $5, $6, $7) as enough',
  z.object({ enough: z.boolean() }),
)
const readReturns = statement(
  `select distinct transaction_id as id from transaction_return
   where company_id = $1 and place = $2 and original_id = $3`,
  z.object({ id: z.string() }),
)
const Line = z.object({
  transaction_id: z.string(),
  line_no: z.int(),
  sku_code: z.string(),
  price: z.string(),
  quantity: z.string(),
})
const lineColumns = Object.keys(Line.shape).join(', ')
const readLinesOf = statement(
  `select ${lineColumns} from transaction_item
   where company_id = $1 and place = $2 and transaction_id = $2 and quantity < 0`,
  Line,
)
const readLinesOfMembers = wholeCompany(
  `select ${lineColumns} from transaction_item
   where company_id = $1 and transaction_id = any ($2::uuid[]) and quantity < 0`,
  Line,
)
// Reads the member's lines once, even if the return has many lines.
const readCandidates = statement(
  `with asked as (
     select * from unnest($3::text[], $4::numeric[]) with ordinality w (sku_code, price, line)
   ), sold as materialized (
     select s.transaction_id, i.sku_code, i.price, sum(i.quantity) as quantity
     from transaction s cross join lateral (
       select sku_code, price, quantity from transaction_item
       where company_id = $1 and place = $2 and transaction_id = s.transaction_id
         and sku_code = any ($3) and quantity > 0
     ) i
     where s.company_id = $1 and s.place = $2 and s.member_id = $2 and s.status = 'completed'
       and s.invoice_type <> 'return' and s.occurred_at <= $5
     group by s.transaction_id, i.sku_code, i.price
   )
   select * from (
     select w.line::int - 1 as line, t.transaction_id, t.occurred_at, t.invoice_number,
       ${bought}, ${returned},
       sold.quantity - coalesce((
         select sum(r.quantity) from transaction_return r
         join transaction_item back on back.company_id = $1 and back.place = $2
           and back.transaction_id = r.transaction_id and back.line_no = r.line_no
         where r.company_id = $1 and r.place = $2 and r.original_id = t.transaction_id
           and back.sku_code = sold.sku_code and back.price = sold.price
       ), 0) as left_over
     from asked w join sold using (sku_code, price)
     join transaction t on t.company_id = $1 and t.place = $2
       and t.transaction_id = sold.transaction_id
   ) c where left_over > 0
   order by line, occurred_at desc, invoice_number desc`,
  z.object({
    line: z.int(),
    transaction_id: z.string(),
    bought: z.string(),
    returned: z.string(),
    left_over: z.string(),
  }),
)

/**
 * Finds the sale that a return names.
 * @returns null if there is none, and for a deposit, a cancelled receipt or a return
 * @throws Outdated if a merge moved the sale while it was looked for
 */
export async function findOriginal(
  tx: Transaction,
  companyId: string,
  name: ReceiptName,
): Promise<Named | null> {
  const key = await findReceipt(tx, companyId, name)
  if (key === null) return null
  const { place, id } = key
  const row = await tx.maybe(readNamed, [companyId, place, id])
  if (row === null) throw new Outdated('the sale has another member now')
  return row.canReturn ? { id, place, memberId: row.memberId } : null
}

/**
 * Locks a sale and reads the money of its goods and the money already returned.
 * @throws Outdated if a merge gave the sale another member after it was found
 */
export async function readOriginal(
  tx: Transaction,
  companyId: string,
  named: Named,
): Promise<Original> {
  const of = [companyId, named.place, named.id]
  const [, row] = await Promise.all([tx.run(lockSale, of), tx.maybe(readSale, of)])
  if (row === null) throw new Outdated('the sale has another member now')
  return { ...named, ...row }
}

/**
 * Assigns a return: to the named sale; with `newest`, to the member's newest sales of the same
 * goods; without either, to none.
 * @param memberId the member whose earlier sales are searched
 * @param original the sale that the receipt names
 * @returns null if the return is for more money, or more pieces of its goods, than is left of the
 *   named sale
 */
export async function assignReturn(
  tx: Transaction,
  companyId: string,
  memberId: string | null,
  input: TransactionInput,
  original: Original | null,
): Promise<Assignment | null> {
  if (input.status !== 'completed' || input.original === null) return none
  const lines = returnedLines(input)
  if (original !== null) {
    if (!(await hasPieces(tx, companyId, original, lines))) return null
    const parts = allOf(original, lines, sidesOf(input).returned)
    return parts === null ? null : { place: original.place, parts }
  }
  if (memberId === null) return none
  const candidates = await candidatesFor(tx, companyId, memberId, lines, input.occurredAt)
  return { place: memberId, parts: newestOf(lines, candidates) }
}

/**
 * Whether a sale still has the pieces that a return asks for. Goods that it did not sell at this
 * price are limited by money only.
 */
async function hasPieces(
  tx: Transaction,
  companyId: string,
  { id, place, memberId }: Original,
  lines: readonly ReturnedLine[],
): Promise<boolean> {
  if (lines.length === 0) return true
  // Each return of a sale without a member has a place of its own: itself, or its member.
  const back = memberId === null ? await linesBack(tx, companyId, place, id) : null
  const { enough } = await tx.one(readPieces, [
    companyId,
    place,
    id,
    lines.map((line) => line.skuCode),
    lines.map((line) => line.price),
    lines.map((line) => decimalText(line.quantity)),
    back && JSON.stringify(back),
  ])
  return enough
}

/**
 * Reads the lines of all earlier returns of a sale without a member. The caller holds the lock on
 * the sale, so there are no new ones.
 */
async function linesBack(
  tx: Transaction,
  companyId: string,
  place: string,
  id: string,
): Promise<z.infer<typeof Line>[]> {
  const ids = (await tx.all(readReturns, [companyId, place, id])).map((row) => row.id)
  const found = (await Promise.all(ids.map((one) => tx.all(readLinesOf, [companyId, one])))).flat()
  const there = new Set(found.map((line) => line.transaction_id))
  const others = ids.filter((one) => !there.has(one))
  if (others.length > 0) found.push(...(await tx.all(readLinesOfMembers, [companyId, others])))
  return found
}

const none: Assignment = { place: null, parts: [] }

/**
 * Reads the member's sales up to `occurredAt` with the same SKU and price as a returned line,
 * newest first. The caller holds the lock on the member's account, so no other transaction changes
 * them.
 * @returns one list for each line, in their order
 */
async function candidatesFor(
  tx: Transaction,
  companyId: string,
  memberId: string,
  lines: readonly ReturnedLine[],
  occurredAt: string,
): Promise<Candidate[][]> {
  if (lines.length === 0) return []
  const rows = await tx.all(readCandidates, [
    companyId,
    memberId,
    lines.map((line) => line.skuCode),
    lines.map((line) => line.price),
    occurredAt,
  ])
  return lines.map((_, index) =>
    rows
      .filter((row) => row.line === index)
      .map((row) => ({
        id: row.transaction_id,
        bought: row.bought,
        returned: row.returned,
        leftOver: row.left_over,
      })),
  )
}
