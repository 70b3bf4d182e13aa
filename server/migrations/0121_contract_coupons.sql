-- Contracts 0087 and 0104: the release before writes the keys of coupons, and counts what it issues outside
-- of the definitions.
drop trigger if exists coupon_keyed on coupon;
drop trigger if exists coupon_moved on coupon;
drop trigger if exists stock_shown on stock;
drop trigger if exists gift_stock_opened on gift;
drop trigger if exists gift_counted on gift;
drop trigger if exists coupon_stock_opened on coupon_definition;
drop trigger if exists coupon_counted on coupon_definition;
drop function key_coupon, move_coupon_key, open_stock, count_in_stock, show_stock;
drop procedure fill_coupon_keys;

-- As in 0116, but no trigger asks whether the keys are written.
create or replace function insert_coupons(
  p_company uuid, p_member uuid, p_coupon_id text, p_codes text[], p_at timestamptz, p_today date,
  p_start date, p_end date, p_staff uuid, p_store text, p_entry uuid, p_points int
) returns void language plpgsql as $$
declare
  v_code text;
begin
  foreach v_code in array p_codes loop
    insert into coupon_key (company_id, coupon_code, member_id) values (p_company, v_code, p_member);
  end loop;
  insert into coupon (company_id, coupon_code, member_id, coupon_id, issued_at, issue_date,
      start_date, expiry_date, issued_by, issued_store, entry_id, points_paid)
    values (p_company, unnest(p_codes), p_member, p_coupon_id, p_at, p_today, p_start, p_end, p_staff,
      p_store, p_entry, p_points);
end $$;

-- As in 0115, without the counts in the definitions.
create or replace procedure empty_practice(wanted uuid) language plpgsql as $$
declare
  t text;
begin
  perform from company where company_id = wanted and practice for update;
  if not found then
    raise exception 'only a practice company can be emptied';
  end if;
  -- Rows before the rows that they refer to.
  foreach t in array array['shift_note_reader', 'shift_note', 'message', 'contact_code', 'contact_proof', 'code_allowance', 'given_today',
    'look_up',
    'operation', 'delivery', 'outbox', 'event', 'event_position', 'outbox_member', 'import_row', 'import_invoice', 'member_merge_row',
    'member_merge', 'point_operation', 'member_origin', 'point_promotion', 'point_return',
    'point_forgiven', 'gift_redemption', 'sale_redemption', 'paid_sale', 'coupon_redemption', 'coupon',
    'coupon_key', 'coupon_expiry_walk',
    'transaction_coupon', 'transaction_item', 'transaction_return', 'qualifying_spend', 'transaction', 'receipt_key',
    'point_month_figures', 'point_month', 'point_report', 'point_burn', 'point_lot', 'point_entry',
    'point_account', 'tier_promotion', 'member_tier', 'consent', 'member_key', 'member_name_key', 'member']
  loop
    execute format('delete from %I where company_id = $1', t) using wanted;
  end loop;
  delete from audit where company_id = wanted and (staff_id is not null or member_id is not null);
  update company set clock_ahead = '0' where company_id = wanted and clock_ahead > '0';
  update stock set issued = 0 where company_id = wanted and issued > 0;
end $$;

alter table stock drop column shown;
alter table gift drop column issued;
alter table coupon_definition drop column issued;
