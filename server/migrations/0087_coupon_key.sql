-- The member of the coupon with a code. On several nodes a coupon is with its member, so a code alone is looked up
-- here first (docs/decisions/0133). On one PostgreSQL the primary key of `coupon` still keeps a code
-- from being given twice; where it contains the member, this key does.
create table coupon_key (
  company_id uuid not null,
  coupon_code text not null,
  member_id uuid not null,
  primary key (company_id, coupon_code)
);
call protect('coupon_key', 'select, insert');

-- For the release before this one, and for psql. The program writes the key first. `make_coupons` also
-- says so, because this call would cost more than the write of the key.
create function key_coupon() returns trigger language plpgsql as $$
begin
  insert into coupon_key (company_id, coupon_code, member_id)
    values (new.company_id, new.coupon_code, new.member_id)
    on conflict (company_id, coupon_code) do nothing;
  return null;
end $$;

-- A merge, and its undo, give a coupon another member. The key can be missing while old ones are made.
create function move_coupon_key() returns trigger language plpgsql as $$
begin
  insert into coupon_key (company_id, coupon_code, member_id)
    values (new.company_id, new.coupon_code, new.member_id)
    on conflict (company_id, coupon_code) do update set member_id = excluded.member_id;
  return null;
end $$;

-- A cluster has no triggers on placed tables.
do $$
begin
  if not exists (select from pg_extension where extname = 'citus') then
    create trigger coupon_keyed after insert on coupon
      for each row when (current_setting('app.keyed', true) is distinct from 'yes')
      execute function key_coupon();
    create trigger coupon_moved after update of member_id on coupon
      for each row when (new.member_id is distinct from old.member_id)
      execute function move_coupon_key();
  end if;
end $$;

-- Makes the keys of the coupons from before, 5,000 at a time with a commit after each. It reads them in
-- the order of their primary key, because a coupon that changes meanwhile can move to a block that was
-- read already. Keys that exist are left, so it can run again after an interruption. The owner of the
-- tables sees the rows of one company at a time too. Each page has a plan of its own: a plan for any
-- page could read all coupons of a company each time.
create procedure fill_coupon_keys() language plpgsql as $$
declare
  v_company uuid;
  v_last text;
begin
  for v_company in select company_id from company_address loop
    v_last := '';
    loop
      perform set_config('app.company_id', v_company::text, true);
      execute 'with page as (
          select company_id, coupon_code, member_id from coupon
          where company_id = $1 and coupon_code > $2 order by coupon_code limit 5000
        ), made as (
          insert into coupon_key (company_id, coupon_code, member_id)
            select company_id, coupon_code, member_id from page
            on conflict (company_id, coupon_code) do nothing
        )
        select max(coupon_code) from page'
        into v_last using v_company, v_last;
      commit;
      exit when v_last is null;
    end loop;
  end loop;
end $$;

-- As in 0079, with the keys.
create or replace function make_coupons(
  p_company uuid, p_member uuid, p_coupon_id text, p_codes text[], p_at timestamptz, p_today date,
  p_start date, p_end date, p_staff uuid, p_store text, p_entry uuid, p_points int
) returns void language plpgsql as $$
begin
  update coupon_definition set issued = issued + cardinality(p_codes)
    where company_id = p_company and coupon_id = p_coupon_id;
  insert into coupon_key (company_id, coupon_code, member_id)
    values (p_company, unnest(p_codes), p_member);
  perform set_config('app.keyed', 'yes', true);
  insert into coupon (company_id, coupon_code, member_id, coupon_id, issued_at, issue_date,
      start_date, expiry_date, issued_by, issued_store, entry_id, points_paid)
    values (p_company, unnest(p_codes), p_member, p_coupon_id, p_at, p_today, p_start, p_end, p_staff,
      p_store, p_entry, p_points);
  perform set_config('app.keyed', '', true);
end $$;

-- The procedure of migration 66, with the tables that are added by this migration and later ones.
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
    -- A later migration creates receipt_key, and a practice company can be emptied before it runs.
    continue when to_regclass(t) is null;
    execute format('delete from %I where company_id = $1', t) using wanted;
  end loop;
  delete from audit where company_id = wanted and (staff_id is not null or member_id is not null);
  update company set clock_ahead = '0' where company_id = wanted and clock_ahead > '0';
  update coupon_definition set issued = 0 where company_id = wanted and issued > 0;
  update gift set issued = 0 where company_id = wanted and issued > 0;
end $$;
