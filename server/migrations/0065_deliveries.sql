-- Each answer of a receiver, for the programmers on both sides.
create table delivery (
  company_id uuid not null,
  member_id uuid not null,
  delivery_id uuid not null default uuidv7(),
  webhook_id text not null,
  event_id uuid not null,
  event text not null,
  -- From 1, for each event and webhook.
  attempt int not null,
  at timestamptz not null default now(),
  -- The HTTP status; null: no answer.
  status int,
  -- The beginning of the answer's body.
  excerpt text not null,
  ms int not null,
  -- Null: the receiver accepted the event.
  problem text,
  primary key (company_id, member_id, delivery_id),
  foreign key (company_id, webhook_id) references webhook,
  foreign key (company_id, member_id) references member
);
create index on delivery (company_id, webhook_id, delivery_id);
create index on delivery (company_id, at);
call protect('delivery', 'select, insert, delete');

-- The procedure of migration 64, with the tables that were added since.
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
    'coupon_expiry_walk',
    'transaction_coupon', 'transaction_item', 'transaction_return', 'qualifying_spend', 'transaction',
    'point_month_figures', 'point_month', 'point_report', 'point_burn', 'point_lot', 'point_entry',
    'point_account', 'tier_promotion', 'member_tier', 'consent', 'member_key', 'member_name_key', 'member']
  loop
    execute format('delete from %I where company_id = $1', t) using wanted;
  end loop;
  delete from audit where company_id = wanted and (staff_id is not null or member_id is not null);
  update coupon_definition set issued = 0 where company_id = wanted and issued > 0;
  update gift set issued = 0 where company_id = wanted and issued > 0;
end $$;
