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
      for each row when (current_setting('app.keyed', true) is distinct from 'coupon')
      execute function key_coupon();
    create trigger coupon_moved after update of member_id on coupon
      for each row when (new.member_id is distinct from old.member_id)
      execute function move_coupon_key();
  end if;
end $$;

-- Makes the keys of the coupons from before, a range of blocks at a time. The owner of the tables sees
-- the rows of one company at a time too, so each range is read once for each company, from memory. Keys
-- that exist are left, so it can run again after an interruption. Each range has a plan of its own: a
-- plan for any range could read all coupons of a company each time.
create procedure fill_coupon_keys() language plpgsql as $$
declare
  v_company uuid;
  v_blocks bigint := pg_relation_size('coupon') / current_setting('block_size')::int;
  v_from bigint := 0;
begin
  while v_from < v_blocks loop
    for v_company in select company_id from company_address loop
      perform set_config('app.company_id', v_company::text, true);
      execute format(
        'insert into coupon_key (company_id, coupon_code, member_id)
           select company_id, coupon_code, member_id from coupon
           where ctid >= %L::tid and ctid < %L::tid
           on conflict (company_id, coupon_code) do nothing',
        format('(%s,0)', v_from), format('(%s,0)', v_from + 256));
    end loop;
    commit;
    v_from := v_from + 256;
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
  perform set_config('app.keyed', 'coupon', true);
  insert into coupon (company_id, coupon_code, member_id, coupon_id, issued_at, issue_date,
      start_date, expiry_date, issued_by, issued_store, entry_id, points_paid)
    values (p_company, unnest(p_codes), p_member, p_coupon_id, p_at, p_today, p_start, p_end, p_staff,
      p_store, p_entry, p_points);
  perform set_config('app.keyed', '', true);
end $$;
