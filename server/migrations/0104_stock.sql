-- How many of a gift or a coupon were issued. On several nodes a definition has a copy on every node, so a
-- count in it would be written on all of them by each issue. This row is on the node of its item
-- (docs/decisions/0137).
create table stock (
  company_id uuid not null,
  kind text not null check (kind in ('coupon', 'gift')),
  item_id text not null,
  issued int not null default 0 check (issued >= 0),
  -- Whether the release before shows how many are left: it has a limit. Only triggers use it.
  shown boolean not null default false,
  primary key (company_id, kind, item_id)
);
call protect('stock', 'select, insert, update');

-- The release before this one counts in the definitions. Until it is gone, these three triggers keep both
-- counts in step. The row of the stock decides, and the check of the definition still holds on one
-- PostgreSQL. A change by one of these triggers fires no other one: `pg_trigger_depth`.

create function open_stock() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'gift' then
    insert into stock (company_id, kind, item_id, issued, shown)
      values (new.company_id, 'gift', new.gift_id, new.issued, new.stock is not null)
      on conflict (company_id, kind, item_id) do nothing;
  else
    insert into stock (company_id, kind, item_id, issued, shown)
      values (new.company_id, 'coupon', new.coupon_id, new.issued, new.stock is not null)
      on conflict (company_id, kind, item_id) do nothing;
  end if;
  return null;
end $$;

-- Counts what the release before issues. A definition that gets another limit gets the count too, because
-- that of an unlimited one is not kept in step.
create function count_in_stock() returns trigger language plpgsql as $$
declare
  v_kind text;
  v_item text;
  v_issued int;
begin
  if tg_table_name = 'gift' then
    v_kind := 'gift';
    v_item := new.gift_id;
  else
    v_kind := 'coupon';
    v_item := new.coupon_id;
  end if;
  select issued into v_issued from stock
    where company_id = new.company_id and kind = v_kind and item_id = v_item for no key update;
  if new.issued <> old.issued then
    v_issued := greatest(v_issued + new.issued - old.issued, 0);
    -- That release asks whether its update found a gift that was left.
    if v_kind = 'gift' and new.issued > old.issued and v_issued > new.stock then
      return null;
    end if;
  end if;
  if new.issued <> old.issued or (new.stock is null) <> (old.stock is null) then
    update stock set issued = v_issued, shown = new.stock is not null
      where company_id = new.company_id and kind = v_kind and item_id = v_item;
  end if;
  new.issued := v_issued;
  return new;
end $$;

-- Shows the release before how many are left of what is limited. That release locks the definition first and
-- then the stock, so this skips a definition that is locked; the holder of the lock counts next, and
-- writes the newest count.
create function show_stock() returns trigger language plpgsql as $$
begin
  if new.kind = 'gift' then
    perform from gift where company_id = new.company_id and gift_id = new.item_id
      and new.issued <= stock for no key update skip locked;
    if found then
      update gift set issued = new.issued
        where company_id = new.company_id and gift_id = new.item_id;
    end if;
  else
    perform from coupon_definition where company_id = new.company_id and coupon_id = new.item_id
      and new.issued <= stock for no key update skip locked;
    if found then
      update coupon_definition set issued = new.issued
        where company_id = new.company_id and coupon_id = new.item_id;
    end if;
  end if;
  return null;
end $$;

-- A cluster has no triggers on placed tables. `create trigger` waits for open transactions that have issued,
-- and keeps others out until the rows below are there. Gifts first, as `company apply` writes them.
do $$
declare
  v_company uuid;
begin
  if not exists (select from pg_extension where extname = 'citus') then
    create trigger gift_stock_opened after insert on gift
      for each row execute function open_stock();
    create trigger gift_counted before update of issued, stock on gift
      for each row when (pg_trigger_depth() = 0) execute function count_in_stock();
    -- An order that has checked its definition in the old way must end before the functions change: it
    -- holds no more than the lock of that row.
    lock table coupon_definition in exclusive mode;
    create trigger coupon_stock_opened after insert on coupon_definition
      for each row execute function open_stock();
    create trigger coupon_counted before update of issued, stock on coupon_definition
      for each row when (pg_trigger_depth() = 0) execute function count_in_stock();
    create trigger stock_shown after update of issued on stock
      for each row when (new.shown and pg_trigger_depth() = 0) execute function show_stock();
  end if;
  -- The owner of the tables sees the rows of one company at a time too.
  for v_company in select company_id from company_address loop
    perform set_config('app.company_id', v_company::text, true);
    insert into stock (company_id, kind, item_id, issued, shown)
      select company_id, 'gift', gift_id, issued, stock is not null from gift
      where company_id = v_company;
    insert into stock (company_id, kind, item_id, issued, shown)
      select company_id, 'coupon', coupon_id, issued, stock is not null from coupon_definition
      where company_id = v_company;
  end loop;
end $$;

-- The refusal of an order, in the order in which reasons are looked for; null: it can be filled. It locks the
-- row of the stock, so the answer stays true until the transaction ends: two orders exceed neither the
-- stock nor a member's limit, and a change of the definition locks this row too. A preview is read-only
-- and promises nothing. The definition is read after the lock, so it is the newest.
-- p_version: another version of the definition is unknown; null: any version is right.
-- p_counted: how many of the order the stock counts already, which then is locked.
create function order_refusal(
  p_company uuid, p_member uuid, p_coupon_id text, p_quantity int, p_today date, p_store text,
  p_with_points boolean, p_version uuid, p_counted int
) returns text language plpgsql as $$
declare
  v_stores text[];
  v_cost int;
  v_end date;
  v_remaining int;
  v_limit int;
begin
  if p_counted = 0 and current_setting('transaction_read_only') = 'off' then
    perform from stock
      where company_id = p_company and kind = 'coupon' and item_id = p_coupon_id for no key update;
  end if;
  select d.issue_stores, d.points_cost, d.end_date, d.stock - s.issued + p_counted, d.per_member_limit
    into v_stores, v_cost, v_end, v_remaining, v_limit
    from coupon_definition d
      join stock s on s.company_id = p_company and s.kind = 'coupon' and s.item_id = p_coupon_id
    where d.company_id = p_company and d.coupon_id = p_coupon_id and not d.stopped
      and d.withdrawn_at is null and (p_version is null or d.version = p_version);
  if not found then
    return 'couponUnknown';
  end if;
  if p_store <> all (v_stores) then
    return 'couponOtherStore';
  end if;
  if (v_cost is not null) <> p_with_points then
    return 'couponCost';
  end if;
  if v_end < p_today then
    return 'couponExpired';
  end if;
  if p_quantity > v_remaining then
    return 'couponOutOfStock';
  end if;
  if v_limit is not null and v_limit < p_quantity + (
    select count(*) from coupon
    where company_id = p_company and member_id = p_member and coupon_id = p_coupon_id and voided_reason is null)
  then
    return 'couponLimit';
  end if;
  return null;
end $$;

create or replace function issue_refusal(
  p_company uuid, p_member uuid, p_coupon_id text, p_quantity int, p_today date, p_store text,
  p_with_points boolean
) returns text language plpgsql as $$
begin
  return order_refusal(p_company, p_member, p_coupon_id, p_quantity, p_today, p_store, p_with_points, null,
    0);
end $$;

-- Inserts the coupons of an order that the stock counts, with their keys.
create function insert_coupons(
  p_company uuid, p_member uuid, p_coupon_id text, p_codes text[], p_at timestamptz, p_today date,
  p_start date, p_end date, p_staff uuid, p_store text, p_entry uuid, p_points int
) returns void language plpgsql as $$
begin
  insert into coupon_key (company_id, coupon_code, member_id)
    values (p_company, unnest(p_codes), p_member);
  perform set_config('app.keyed', 'yes', true);
  insert into coupon (company_id, coupon_code, member_id, coupon_id, issued_at, issue_date,
      start_date, expiry_date, issued_by, issued_store, entry_id, points_paid)
    values (p_company, unnest(p_codes), p_member, p_coupon_id, p_at, p_today, p_start, p_end, p_staff,
      p_store, p_entry, p_points);
  perform set_config('app.keyed', '', true);
end $$;

-- As in 0087, but it counts in the stock, which `issue_refusal` has locked.
create or replace function make_coupons(
  p_company uuid, p_member uuid, p_coupon_id text, p_codes text[], p_at timestamptz, p_today date,
  p_start date, p_end date, p_staff uuid, p_store text, p_entry uuid, p_points int
) returns void language plpgsql as $$
begin
  update stock set issued = issued + cardinality(p_codes)
    where company_id = p_company and kind = 'coupon' and item_id = p_coupon_id;
  perform insert_coupons(p_company, p_member, p_coupon_id, p_codes, p_at, p_today, p_start, p_end,
    p_staff, p_store, p_entry, p_points);
end $$;

-- Takes gifts from the stock, if as many are left. The account is locked before. The gift is read after the
-- lock of the stock, so its limit is the newest.
create function take_gifts(p_company uuid, p_gift text, p_quantity int) returns boolean
language plpgsql as $$
begin
  perform from stock
    where company_id = p_company and kind = 'gift' and item_id = p_gift for no key update;
  update stock s set issued = s.issued + p_quantity from gift g
    where s.company_id = p_company and s.kind = 'gift' and s.item_id = p_gift
      and g.company_id = p_company and g.gift_id = p_gift and not g.stopped
      and (g.stock is null or s.issued + p_quantity <= g.stock);
  return found;
end $$;

-- As in 0070 and 0077, but the stock counts the order before it is checked, so that one statement locks
-- the stock and counts. A refusal takes the count back with all else.
create or replace function issue_answered(
  p_company uuid, p_member uuid, p_at timestamptz, p_today date, p_coupon_id text, p_version uuid,
  p_codes text[], p_start date, p_end date, p_staff uuid, p_store text,
  p_key uuid, p_endpoint text, p_hash bytea, p_request text, p_answer jsonb, p_limit bigint, p_warn_at bigint
) returns jsonb language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  perform require_no_subscriber(p_company, 'coupon.issued');
  perform claim_key(p_company, p_staff, p_key, p_endpoint, p_hash, p_answer);
  update stock set issued = issued + cardinality(p_codes)
    where company_id = p_company and kind = 'coupon' and item_id = p_coupon_id;
  if order_refusal(p_company, p_member, p_coupon_id, cardinality(p_codes), p_today, p_store, false,
    p_version, cardinality(p_codes)) is not null
  then
    raise exception 'not issuable' using errcode = 'TS002';
  end if;
  perform insert_coupons(p_company, p_member, p_coupon_id, p_codes, p_at, p_today, p_start, p_end,
    p_staff, p_store, null, null);
  perform take_unnoticed(
    p_company, p_staff, 'couponsIssued', p_today, cardinality(p_codes), p_limit, p_warn_at);
  perform write_audit(p_company, p_member, p_staff, p_store, 'coupon.issue', p_request,
    jsonb_build_object('couponId', p_coupon_id, 'quantity', cardinality(p_codes)));
  return p_answer;
end $$;

create or replace function issue_paid_answered(
  p_company uuid, p_member uuid, p_lots uuid[], p_taken bigint[], p_points bigint, p_at timestamptz,
  p_today date, p_entry uuid, p_type int, p_description text, p_staff uuid, p_store text,
  p_key uuid, p_request text, p_template text, p_possible boolean,
  p_coupon_id text, p_version uuid, p_codes text[], p_start date, p_end date,
  p_limit bigint, p_warn_at bigint, p_points_limit bigint, p_points_warn_at bigint
) returns jsonb language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  v_claimed jsonb;
  v_cost int;
  v_balance bigint;
  v_answer jsonb;
begin
  v_claimed := claimed_answer(p_company, p_staff, p_key);
  if v_claimed is null or p_possible is not true then
    raise exception 'not claimed, or not spendable' using errcode = 'TS002';
  end if;
  perform require_no_subscriber(p_company, 'coupon.issued');
  update stock set issued = issued + cardinality(p_codes)
    where company_id = p_company and kind = 'coupon' and item_id = p_coupon_id;
  if order_refusal(p_company, p_member, p_coupon_id, cardinality(p_codes), p_today, p_store, true,
    p_version, cardinality(p_codes)) is not null
  then
    raise exception 'not issuable' using errcode = 'TS002';
  end if;
  select points_cost into v_cost from coupon_definition
    where company_id = p_company and coupon_id = p_coupon_id;
  if v_cost * cardinality(p_codes) is distinct from p_points then
    raise exception 'another price' using errcode = 'TS002';
  end if;
  select balance_after into v_balance from append_entry(p_company, p_member, p_entry, p_type, -p_points,
    null, null, null, null, p_store, p_staff, null, null, p_description, p_at);
  perform burn_lots(p_company, p_member, p_entry, p_lots, p_taken);
  perform insert_coupons(p_company, p_member, p_coupon_id, p_codes, p_at, p_today, p_start, p_end,
    p_staff, p_store, p_entry, v_cost);
  v_answer := spending_answer(p_template, v_balance, p_at);
  if v_answer <> v_claimed then
    perform store_answer(p_company, p_staff, p_key, v_answer);
  end if;
  perform take_unnoticed(p_company, p_staff, 'pointRedemptions', p_today, 1, p_limit, p_warn_at);
  perform take_unnoticed(
    p_company, p_staff, 'pointsSpent', p_today, p_points, p_points_limit, p_points_warn_at);
  perform write_audit(p_company, p_member, p_staff, p_store, 'coupon.issueByPoints', p_request,
    jsonb_build_object('couponId', p_coupon_id, 'quantity', cardinality(p_codes), 'points', -p_points,
      'entryId', p_entry));
  return v_answer;
end $$;

-- The procedure of migration 87, with the stock.
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
  update stock set issued = 0 where company_id = wanted and issued > 0;
end $$;
