-- Contracts 0083 to 0102: the release before writes the places and the keys of receipts itself, so the
-- triggers that did it for an older one go.
drop trigger if exists fill_place on transaction;
drop trigger if exists move_place on transaction;
drop trigger if exists move_parts on transaction;
drop trigger if exists receipt_keyed on transaction;
drop trigger if exists receipt_moved on transaction;
drop trigger if exists fill_place on transaction_item;
drop trigger if exists fill_place on transaction_coupon;
drop trigger if exists fill_place on transaction_return;
drop function place_receipt, place_part, place_return, move_parts, key_receipt, move_receipt_key;
drop procedure fill_places_of_receipts, fill_receipt_keys;

-- As in 0102, but no trigger asks whether the key is written.
create or replace function insert_receipt(
  p_company uuid, p_transaction uuid, p_invoice text, p_source int, p_member uuid, p_store text, p_sales text,
  p_status text, p_type text, p_at timestamptz, p_total numeric, p_discount numeric, p_net numeric,
  p_points bigint, p_hash bytea,
  p_skus text[], p_sku_names text[], p_prices numeric[], p_quantities numeric[], p_totals numeric[],
  p_discounts numeric[], p_spends numeric[],
  p_codes text[], p_names text[], p_values numeric[], p_counts int[]
) returns boolean language plpgsql as $$
declare
  v_place uuid := coalesce(p_member, p_transaction);
begin
  if p_store is not null
    and not exists (select from store where company_id = p_company and store_code = p_store)
  then
    return false;
  end if;
  insert into receipt_key (company_id, invoice_number, source, place, transaction_id, content_hash)
    values (p_company, p_invoice, p_source, v_place, p_transaction, p_hash)
    on conflict (company_id, invoice_number, source) do nothing;
  if not found then
    return false;
  end if;
  insert into transaction (company_id, place, transaction_id, invoice_number, source, member_id, store_code,
      sales, status, invoice_type, occurred_at, total_amount, order_discount, net_spend, item_count,
      points_earned, content_hash)
    values (p_company, v_place, p_transaction, p_invoice, p_source, p_member, p_store, p_sales,
      p_status, p_type, p_at, p_total, p_discount, p_net, cardinality(p_skus), p_points, p_hash);
  -- From the receipt, so that its node is known: a column of limited precision takes no `unnest` as a value.
  if cardinality(p_skus) > 0 then
    insert into transaction_item (company_id, place, transaction_id, line_no, sku_code, sku_name, price,
        quantity, total, discount, spend)
      select t.company_id, t.place, t.transaction_id, i.line_no, i.sku_code, i.sku_name, i.price, i.quantity,
        i.total, i.discount, i.spend
      from transaction t,
        unnest(p_skus, p_sku_names, p_prices, p_quantities, p_totals, p_discounts, p_spends) with ordinality
        i (sku_code, sku_name, price, quantity, total, discount, spend, line_no)
      where t.company_id = p_company and t.place = v_place and t.transaction_id = p_transaction;
  end if;
  if cardinality(p_codes) > 0 then
    insert into transaction_coupon (company_id, place, transaction_id, line_no, coupon_code, name, value,
        quantity)
      select t.company_id, t.place, t.transaction_id, c.line_no, c.coupon_code, c.name, c.value, c.quantity
      from transaction t, unnest(p_codes, p_names, p_values, p_counts) with ordinality
        c (coupon_code, name, value, quantity, line_no)
      where t.company_id = p_company and t.place = v_place and t.transaction_id = p_transaction;
  end if;
  return true;
end $$;
