import { receiptIn } from '@tillside/contract/receipt'
import { decimal } from '@tillside/contract/rules/decimal'
import * as z from 'zod/mini'
import { findCompany } from '../../company/find.ts'
import { statement } from '../../database/database.ts'
import type { TransactionInput } from '../../transaction/input.ts'
import { record } from '../../transaction/record.ts'
import type { TestCompany } from './company.ts'

/** A receipt item: SKU, price and quantity; the quantity is negative for returned goods. */
export type Line = readonly [sku: string, price: string, quantity: number]

let number = 0

/**
 * A completed receipt with these items. Amounts are calculated from them unless `changes` has
 * them; those may have the decimals of another currency.
 */
export function receipt(
  lines: readonly Line[],
  changes: Partial<TransactionInput> = {},
): TransactionInput {
  const items = lines.map(([skuCode, price, quantity]) => {
    const total = cents(price) * quantity
    return {
      skuCode,
      skuName: `Goods ${skuCode}`,
      price,
      quantity: String(quantity),
      total: money(total),
      discount: '0.00',
      spend: money(total),
    }
  })
  const net = lines.reduce((sum, [, price, quantity]) => sum + cents(price) * quantity, 0)
  number += 1
  const { totalAmount = '0.00' } = changes
  return receiptIn(decimal(totalAmount).scale).parse({
    invoiceNumber: `R${number}`,
    source: 100000028,
    storeCode: 'S1',
    status: 'completed',
    invoiceType: net < 0 ? 'return' : 'sale',
    occurredAt: '2026-03-10T04:00:00Z',
    totalAmount: money(net),
    netSpend: money(net),
    items,
    ...changes,
  })
}

/** Records a member's sale of two teas. @returns its invoice number */
export async function testSale(
  { database, identifier, id }: Pick<TestCompany, 'database' | 'identifier' | 'id'>,
  member: { id: string },
): Promise<string> {
  const company = await findCompany(database, identifier)
  if (company === null) throw new Error('the company is gone')
  const input = receipt([['TEA', '12.50', 2]])
  await database.transaction(id, (tx) => record(tx, company, member.id, input))
  return input.invoiceNumber
}

/** The reference by which a return names its original receipt. */
export function nameOf({ invoiceNumber, source }: TransactionInput) {
  return { invoiceNumber, source }
}

function cents(price: string): number {
  return Math.round(Number(price) * 100)
}

function money(amount: number): string {
  return (amount / 100).toFixed(2)
}

const readEffects = statement(
  `select jsonb_build_object(
     'account', (select to_jsonb(a) - 'member_id' from point_account a
       where company_id = $1 and member_id = $2),
     'tier', (select to_jsonb(t) - 'member_id' from member_tier t
       where company_id = $1 and member_id = $2),
     'receipts', (select jsonb_agg(
         to_jsonb(t)
           - '{member_id,place,transaction_id,invoice_number,content_hash,recorded_at}'::text[]
         order by occurred_at, t.transaction_id)
       from transaction t where company_id = $1 and member_id = $2),
     'lines', (select jsonb_agg(to_jsonb(i) - '{place,transaction_id}'::text[]
         order by t.transaction_id, line_no)
       from transaction t join transaction_item i using (company_id, transaction_id)
       where company_id = $1 and member_id = $2),
     'coupons', (select jsonb_agg(to_jsonb(c) - '{place,transaction_id}'::text[]
         order by t.transaction_id, line_no)
       from transaction t join transaction_coupon c using (company_id, transaction_id)
       where company_id = $1 and member_id = $2),
     'spend', (select jsonb_agg(to_jsonb(q) - '{member_id,transaction_id}'::text[]
         order by transaction_id, spent_on)
       from qualifying_spend q where company_id = $1 and member_id = $2),
     'entries', (select jsonb_agg(
         to_jsonb(e) - '{member_id,entry_id,transaction_id,invoice_number}'::text[]
           || jsonb_build_object('reverses', r.seq) order by e.seq)
       from point_entry e left join point_entry r
         on r.company_id = $1 and r.member_id = $2 and r.entry_id = e.reverses
       where e.company_id = $1 and e.member_id = $2),
     'lots', (select jsonb_agg(to_jsonb(l) - '{member_id,lot_id}'::text[] order by lot_id)
       from point_lot l where company_id = $1 and member_id = $2),
     'promotions', (select jsonb_agg(to_jsonb(p) - '{member_id,entry_id}'::text[] order by entry_id)
       from point_promotion p where company_id = $1 and member_id = $2),
     'parts', (select jsonb_agg(
         to_jsonb(r) - '{place,transaction_id,original_id}'::text[]
           || jsonb_build_object('of', o.occurred_at) order by r.transaction_id, r.line_no)
       from transaction_return r join transaction o
         on o.company_id = $1 and o.place = $2 and o.transaction_id = r.original_id
       where r.company_id = $1 and r.place = $2),
     'facts', (select jsonb_agg(
         to_jsonb(r) - '{member_id,transaction_id,fact_id}'::text[]
           || jsonb_build_object('entry_id', e.seq) order by r.after_seq, r.fact_id)
       from point_return r left join point_entry e
         on e.company_id = $1 and e.member_id = $2 and e.entry_id = r.entry_id
       where r.company_id = $1 and r.member_id = $2),
     'burns', (select jsonb_agg(
         jsonb_build_array(e.seq, l.seq, b.points) order by e.seq, l.seq)
       from point_burn b
       join point_entry e on e.company_id = $1 and e.member_id = $2 and e.entry_id = b.entry_id
       left join point_entry l on l.company_id = $1 and l.member_id = $2 and l.entry_id = b.lot_id
       where b.company_id = $1 and b.member_id = $2),
     'audit', (select jsonb_agg(
         to_jsonb(a) - '{audit_id,id,at,place,member_id,request_id,details}'::text[]
           || (details - 'transactionId' - 'invoiceNumber') order by audit_id)
       from audit a where company_id = $1 and member_id = $2 and action like '%tr%')
   ) as effects`,
  z.object({ effects: z.record(z.string(), z.unknown()) }),
)

/** All that receipts have left on a member, without what differs between two members. */
export async function saleEffects(
  { database, id }: Pick<TestCompany, 'database' | 'id'>,
  member: { id: string },
): Promise<Record<string, unknown>> {
  const row = await database.transaction(id, (tx) => tx.one(readEffects, [id, member.id]))
  return row.effects
}
