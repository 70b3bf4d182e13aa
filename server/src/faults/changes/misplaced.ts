/** SQL: the tables with rows of company `$1` that are not where their receipt or coupon is. */
export const misplacedRows = `select 'transaction' as table from transaction
    where company_id = $1 and place is distinct from coalesce(member_id, transaction_id)
  union all select 'transaction_item' from transaction_item i
    join transaction t using (company_id, transaction_id)
    where company_id = $1 and i.place is distinct from t.place
  union all select 'transaction_coupon' from transaction_coupon c
    join transaction t using (company_id, transaction_id)
    where company_id = $1 and c.place is distinct from t.place
  union all select 'transaction_return' from transaction_return r join transaction t
    on t.company_id = r.company_id and t.transaction_id = r.original_id
    where r.company_id = $1 and r.place is distinct from t.place
  union all select 'receipt_key' from transaction t
    full join receipt_key k using (company_id, invoice_number, source)
    where company_id = $1 and (k.place, k.transaction_id, k.content_hash)
      is distinct from (t.place, t.transaction_id, t.content_hash)
  union all select 'coupon_key' from coupon c full join coupon_key k using (company_id, coupon_code)
    where company_id = $1 and k.member_id is distinct from c.member_id`
