-- The members that a clerk has seen, and the searches by name, for the limit of look-ups. The audit log has
-- the same, but its rows are at their members, on many nodes. These rows are with the clerk, for an hour.
-- seen_id: a member or a search. Of zeros: the clerk has typed the password. Of fs: the company was alerted.
create table look_up (
  company_id uuid not null,
  staff_id uuid not null,
  at timestamptz not null,
  seen_id uuid not null,
  primary key (company_id, staff_id, at, seen_id)
);
call protect('look_up', 'select, insert, delete');

-- What an audit row says about it; null where it says nothing.
create function sight_of(p_action text, p_member uuid, p_details jsonb) returns uuid
language sql immutable parallel safe
  return case
    when p_action in ('member.lookUp', 'member.reveal') then p_member
    when p_action = 'member.searchByName' then (p_details ->> 'search')::uuid
    when p_action in ('login', 'staff.confirm') then '00000000-0000-0000-0000-000000000000'::uuid
    when p_action = 'staff.alert' and p_details ->> 'kind' = 'lookUps'
      then 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid
  end;

-- The procedure of migration 104, with `look_up`.
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
  update coupon_definition set issued = 0 where company_id = wanted and issued > 0;
  update gift set issued = 0 where company_id = wanted and issued > 0;
  update stock set issued = 0 where company_id = wanted and issued > 0;
end $$;
