import { invariant } from '../database/invariant.ts'

function sumsOf(table: 'receipt_key' | 'transaction'): string {
  return `select right(invoice_number, 2) as ending, count(*) as receipts,
       sum(hashtextextended(concat_ws(' ', invoice_number, source, place, transaction_id,
         content_hash), 0)) as places
     from ${table} where company_id = $1 group by 1`
}

/** The invariants of receipts. */
export const receiptInvariants = {
  /** I7: a receipt is placed by its member, and its rows by it; a returned part by its sale. */
  receiptPlaced: invariant(
    'I7',
    `select member_id, format('receipt %s has another place', invoice_number) as found
     from transaction
     where company_id = $1 and place <> coalesce(member_id, transaction_id)
     union all
     select null, format('rows of receipt %s have another place', i.transaction_id)
     from transaction_item i left join transaction t
       on t.company_id = $1 and t.place = i.place and t.transaction_id = i.transaction_id
     where i.company_id = $1 and t.place is null
     union all
     select null, format('coupons of receipt %s have another place', c.transaction_id)
     from transaction_coupon c left join transaction t
       on t.company_id = $1 and t.place = c.place and t.transaction_id = c.transaction_id
     where c.company_id = $1 and t.place is null
     union all
     select null, format('what receipt %s takes back has another place', r.transaction_id)
     from transaction_return r left join transaction t
       on t.company_id = $1 and t.place = r.place and t.transaction_id = r.original_id
     where r.company_id = $1 and t.place is null`,
  ),
  /**
   * I7: each receipt has its key, with the same place and content. Both tables are on different
   * nodes, so they are summed up by the last characters of the invoice number.
   */
  receiptKeyed: invariant(
    'I7',
    `select null::uuid as member_id, format('invoice numbers …%s: %s receipts, %s keys%s', ending,
       coalesce(t.receipts, 0), coalesce(k.receipts, 0),
       case when t.receipts = k.receipts then ' with another place or content' end) as found
     from (${sumsOf('transaction')}) t full join (${sumsOf('receipt_key')}) k using (ending)
     where (t.receipts, t.places) is distinct from (k.receipts, k.places)`,
  ),
}
