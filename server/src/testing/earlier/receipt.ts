/**
 * How the release before migration 0083 inserted a receipt and its rows. `$1`: the company; `$2`:
 * the receipt; `$3`: the receipt's member, or the sale of a return.
 */
export const oldInserts = {
  receipt: `insert into transaction (company_id, transaction_id, invoice_number, source, member_id,
      status, invoice_type, occurred_at, total_amount, order_discount, net_spend, item_count,
      content_hash)
    values ($1, $2::uuid, $2::uuid::text, 1, $3, 'completed', 'sale', now(), 1, 0, 1, 1, '')`,
  item: `insert into transaction_item (company_id, transaction_id, line_no, sku_code, sku_name,
      price, quantity, total, discount, spend)
    values ($1, $2, 1, 'A', 'A', 1, 1, 1, 0, 1)`,
  coupon: `insert into transaction_coupon (company_id, transaction_id, line_no, coupon_code, name,
      quantity)
    values ($1, $2, 1, 'C', 'C', 1)`,
  return: `insert into transaction_return (company_id, transaction_id, line_no, original_id,
      quantity, amount)
    values ($1, $2, 1, $3, 1, 1)`,
}
