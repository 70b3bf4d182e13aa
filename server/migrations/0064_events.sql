-- An event is one row, whatever number of webhooks get it; `outbox` has a row for each of them.
create table event (
  company_id uuid not null,
  member_id uuid not null,
  -- From outbox_member: the order of the member's events.
  seq int not null,
  event_id uuid not null,
  event text not null,
  -- Where it happened; null: in no store.
  store_code text,
  -- The account or the API key that acted; null: a command or a job.
  actor jsonb,
  data jsonb not null,
  created_at timestamptz not null default now(),
  -- The order of all events of the company. The first read after the commit gives it, so no event
  -- ever appears behind a reader's position.
  position bigint,
  primary key (company_id, member_id, seq),
  foreign key (company_id, member_id) references member
);
create index on event (company_id, event_id);
create index on event (company_id, position) where position is not null;
create index on event (company_id, event_id) where position is null;
create index on event (company_id, created_at);
call protect('event', 'select, insert, update, delete');

-- The newest position that was given. Its lock lets one reader at a time give positions.
create table event_position (
  company_id uuid primary key references company,
  last_position bigint not null
);
call protect('event_position', 'select, insert, update, delete');

-- The program before this one reads and writes events in the outbox, and both may run during an
-- upgrade. So the outbox keeps its own copy of each event.
alter table outbox drop constraint outbox_event_check;

-- Up to which coupon the job has sent the events of expired coupons.
create table coupon_expiry_walk (
  company_id uuid primary key references company,
  expiry_date date not null,
  coupon_code text not null
);
call protect('coupon_expiry_walk', 'select, insert, update, delete');
create index on coupon (company_id, expiry_date, coupon_code);

-- The procedure of migration 61, with the tables that were added since.
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
    'operation', 'outbox', 'event', 'event_position', 'outbox_member', 'import_row', 'import_invoice', 'member_merge_row',
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
