-- The procedure of migration 66, with the tables that were added since.
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
  update coupon_definition set issued = 0 where company_id = wanted and issued > 0;
  update gift set issued = 0 where company_id = wanted and issued > 0;
end $$;
