-- The place of a receipt: its member, or the receipt itself where it has no member. On several nodes
-- it chooses the node of the receipt's rows (docs/growing.md). Items and coupons have the place of
-- their receipt; what a return takes back has the place of its sale, where it is summed.
do $$
declare
  v_distributed boolean := false;
begin
  -- Citus has no triggers, and its tables cannot be read by ranges of blocks.
  if exists (select from pg_extension where extname = 'citus') then
    execute 'select exists (select from pg_dist_partition)' into v_distributed;
  end if;
  if v_distributed then
    raise exception 'a database that is distributed already cannot be upgraded; see docs/growing.md';
  end if;
end $$;
alter table transaction add column place uuid,
  add constraint transaction_placed check (place is not null) not valid;
alter table transaction_item add column place uuid,
  add constraint transaction_item_placed check (place is not null) not valid;
alter table transaction_coupon add column place uuid,
  add constraint transaction_coupon_placed check (place is not null) not valid;
alter table transaction_return add column place uuid,
  add constraint transaction_return_placed check (place is not null) not valid;

-- The release before this one writes and changes rows without the column.
create function place_receipt() returns trigger language plpgsql as $$
begin
  new.place := coalesce(new.member_id, new.transaction_id);
  return new;
end $$;
create trigger fill_place before insert or update on transaction
  for each row when (new.place is null) execute function place_receipt();

create function place_part() returns trigger language plpgsql as $$
begin
  select coalesce(t.member_id, t.transaction_id) into new.place from transaction t
    where t.company_id = new.company_id and t.transaction_id = new.transaction_id;
  return new;
end $$;
create trigger fill_place before insert or update on transaction_item
  for each row when (new.place is null) execute function place_part();
create trigger fill_place before insert or update on transaction_coupon
  for each row when (new.place is null) execute function place_part();

create function place_return() returns trigger language plpgsql as $$
begin
  select coalesce(t.member_id, t.transaction_id) into new.place from transaction t
    where t.company_id = new.company_id and t.transaction_id = new.original_id;
  return new;
end $$;
create trigger fill_place before insert or update on transaction_return
  for each row when (new.place is null) execute function place_return();

-- A merge, or its undo, gives a receipt another member. The place of all its rows follows.
create trigger move_place before update of member_id on transaction
  for each row when (new.member_id is distinct from old.member_id) execute function place_receipt();

create function move_parts() returns trigger language plpgsql as $$
begin
  update transaction_item set place = new.place
    where company_id = new.company_id and transaction_id = new.transaction_id;
  update transaction_coupon set place = new.place
    where company_id = new.company_id and transaction_id = new.transaction_id;
  update transaction_return set place = new.place
    where company_id = new.company_id and original_id = new.transaction_id;
  return null;
end $$;
create trigger move_parts after update of member_id on transaction
  for each row when (new.member_id is distinct from old.member_id) execute function move_parts();

-- Fills the rows from before, a range of blocks at a time, with a commit after each. The owner of the
-- tables sees the rows of one company at a time too, so each range is read once for each company,
-- from memory. Rows that are
-- filled are skipped, so it can run again after an interruption. Each range has a plan of its own: a
-- plan for any range could read all rows of a company each time.
create procedure fill_places_of_receipts() language plpgsql as $$
declare
  v_table text;
  v_place text;
  v_company uuid;
  v_blocks bigint;
  v_from bigint;
begin
  foreach v_table in array array['transaction', 'transaction_item', 'transaction_coupon', 'transaction_return']
  loop
    v_place := case v_table
      when 'transaction' then 'coalesce(member_id, transaction_id)'
      else format(
        '(select coalesce(t.member_id, t.transaction_id) from transaction t
          where t.company_id = x.company_id and t.transaction_id = x.%I)',
        case v_table when 'transaction_return' then 'original_id' else 'transaction_id' end)
      end;
    v_blocks := pg_relation_size(v_table::regclass) / current_setting('block_size')::int;
    v_from := 0;
    while v_from < v_blocks loop
      for v_company in select company_id from company_address loop
        perform set_config('app.company_id', v_company::text, true);
        execute format(
          'update %I x set place = %s where place is null and ctid >= %L::tid and ctid < %L::tid',
          v_table, v_place, format('(%s,0)', v_from), format('(%s,0)', v_from + 256));
        commit;
      end loop;
      v_from := v_from + 256;
    end loop;
    execute format('alter table %I validate constraint %I', v_table, v_table || '_placed');
    commit;
  end loop;
end $$;
