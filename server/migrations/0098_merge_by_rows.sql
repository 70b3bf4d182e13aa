-- A merge without a change of a row's member, which chooses the node of the row (docs/growing.md): the
-- rows are deleted at one member and inserted at the other. The routines of 0051_merge.sql stay for
-- the release before this one.

-- The tables whose rows a merge moves, each after those that it refers to: the column by which a row
-- is named in member_merge_row, and the kind of that name.
create function merged_tables() returns table (name text, key text, kind text)
  language sql immutable as $$
  values ('transaction', 'transaction_id', 'receipt'), ('transaction_item', 'transaction_id', 'receipt'),
    ('transaction_coupon', 'transaction_id', 'receipt'), ('transaction_return', 'original_id', 'receipt'),
    ('qualifying_spend', 'transaction_id', 'receipt'), ('point_entry', 'entry_id', 'entry'),
    ('point_lot', 'lot_id', 'entry'), ('point_burn', 'entry_id', 'entry'),
    ('gift_redemption', 'entry_id', 'entry'), ('point_promotion', 'entry_id', 'entry'),
    ('sale_redemption', 'entry_id', 'entry'), ('point_operation', 'entry_id', 'entry'),
    ('point_return', 'fact_id', 'fact'), ('point_forgiven', 'forgiven_id', 'forgiven'),
    ('coupon', 'coupon_code', 'coupon'), ('coupon_redemption', 'coupon_code', 'coupon'),
    ('consent', 'consent_id', 'consent')
$$;

-- The column that places the rows of such a table.
create function placing_column(p_table text) returns text language sql immutable
  return case when p_table like 'transaction%' then 'place' else 'member_id' end;

create function type_of_key(p_key text) returns text language sql immutable
  return case p_key when 'coupon_code' then 'text' else 'uuid' end;

-- The names of one kind, of rows that a merge lists; null, for all rows, where there is no list.
create function names_of(p_names jsonb, p_kind text) returns text[] language sql immutable
  return case when p_names is not null then array(select jsonb_array_elements_text(p_names -> p_kind)) end;

-- Moves rows of a member to another. p_names: the names of the rows by their kind; null: all rows of
-- these kinds. The rows of receipts are found by the receipts, which have an index by the member.
create function move_rows(
  p_company uuid, p_from uuid, p_to uuid, p_kinds text[], p_names jsonb
) returns void language plpgsql as $$
declare
  v_table record;
  v_rows jsonb;
  v_columns text;
  v_values text;
  v_names text[];
  v_of text[] := '{}';
  v_gone jsonb[];
  v_parts jsonb[] := '{}';
  v_count bigint;
begin
  -- In the order of redemptions and their undos, which lock a coupon before its redemption.
  if 'coupon' = any (p_kinds) then
    perform from coupon where company_id = p_company and member_id = p_from
      order by coupon_code for update;
  end if;
  -- Rows that refer to others are deleted first, and inserted last.
  for v_table in
    select * from merged_tables() with ordinality t (name, key, kind, position)
    where kind = any (p_kinds) order by position desc
  loop
    v_names := names_of(p_names, v_table.kind);
    if v_table.kind = 'receipt' and v_names is null then
      v_names := array(select transaction_id from transaction
        where company_id = p_company and place = p_from and member_id = p_from)::text[];
    end if;
    -- The insert takes the rows that the delete returns, also after a wait for a concurrent change. In
    -- parts of 10,000, because one value has a limit of 255 MB.
    execute format(
      'with gone as (
         delete from %1$I t
         where t.company_id = $1 and t.%2$I = $2 and ($3 is null or t.%3$I = any ($3::%4$s[]))
         returning to_jsonb(t) as row
       )
       select array_agg(part) from (
         select jsonb_agg(row) as part from (select row, row_number() over () as n from gone) r
         group by (n - 1) / 10000
       ) p',
      v_table.name, placing_column(v_table.name), v_table.key, type_of_key(v_table.key))
      into v_gone using p_company, p_from, v_names;
    v_of := v_of || array_fill(v_table.name, array[coalesce(cardinality(v_gone), 0)]);
    v_parts := v_parts || v_gone;
  end loop;
  for v_table in
    select * from merged_tables() with ordinality t (name, key, kind, position) order by position
  loop
    select string_agg(quote_ident(attname), ', ' order by attnum),
      string_agg(case when attname = 'company_id' then 'a.company_id'
        when attname in ('member_id', 'place') then 'a.member_id'
        else 'r.' || quote_ident(attname) end, ', ' order by attnum)
      into v_columns, v_values
      from pg_attribute
      where attrelid = v_table.name::regclass and attnum > 0 and not attisdropped and attgenerated = '';
    for v_rows in select part from unnest(v_of, v_parts) m (name, part) where name = v_table.name loop
      execute format(
        'insert into %1$I (%2$s) select %3$s
         from point_account a, jsonb_populate_recordset(null::%1$I, $3) r
         where a.company_id = $1 and a.member_id = $2', v_table.name, v_columns, v_values)
        using p_company, p_to, v_rows;
      get diagnostics v_count = row_count;
      if v_count <> jsonb_array_length(v_rows) then
        raise exception 'a merge inserted % of % rows of %', v_count, jsonb_array_length(v_rows), v_table.name;
      end if;
    end loop;
  end loop;
end $$;

-- Lists rows of a member as moved by a merge.
create function list_moved(
  p_company uuid, p_merge uuid, p_member uuid, p_kinds text[], p_kind text default null
) returns void language plpgsql as $$
declare
  v_table record;
  v_names text[];
begin
  for v_table in
    select distinct on (kind) name, key, kind
    from merged_tables() with ordinality t (name, key, kind, position)
    where kind = any (p_kinds) order by kind, position
  loop
    -- The first table of each kind has the member.
    execute format(
      'select array_agg(%I::text) from %I where company_id = $1 and %I = $2 and member_id = $2',
      v_table.key, v_table.name, placing_column(v_table.name))
      into v_names using p_company, p_member;
    insert into member_merge_row (company_id, merge_id, kind, name)
      values (p_company, p_merge, coalesce(p_kind, v_table.kind), unnest(v_names))
      on conflict do nothing;
  end loop;
end $$;

-- Adds up an account from its entries.
create function add_up_account(p_company uuid, p_member uuid) returns void language plpgsql as $$
begin
  update point_account a
    set balance = e.balance, earned = e.earned, used = e.earned - e.balance, entries = e.entries
    from (
      select coalesce(sum(points), 0) as balance, count(*) as entries,
        coalesce(sum(points) filter (where points > 0), 0) as earned
      from point_entry where company_id = p_company and member_id = p_member
    ) e
    where a.company_id = p_company and a.member_id = p_member;
end $$;

-- Whether the lots of an account have what its entries add up to.
create function account_adds_up(p_company uuid, p_member uuid) returns boolean language plpgsql as $$
begin
  return (
    select greatest(a.balance, 0) = coalesce((
        select sum(l.remaining) from point_lot l
        where l.company_id = p_company and l.member_id = p_member), 0)
      from point_account a where a.company_id = p_company and a.member_id = p_member);
end $$;

-- Moves all rows of a member to the survivor. The entries of both become one history in the order of
-- their time; within each account the order stays.
create function merge_rows(p_company uuid, p_merge uuid, p_survivor uuid, p_merged uuid)
  returns void language plpgsql set plan_cache_mode = force_custom_plan as $$
declare
  v_kinds text[] := array['receipt', 'entry', 'fact', 'forgiven', 'coupon', 'consent'];
  v_entries uuid[];
  v_before bigint[];
  v_seqs bigint[];
  v_balances bigint[];
begin
  set constraints all deferred;
  perform list_moved(p_company, p_merge, p_merged, v_kinds);
  perform list_moved(p_company, p_merge, p_survivor, array['fact'], 'survivorFact');
  -- Out of the way of the numbers from 1 on, and apart from each other.
  update point_entry set seq = seq + 1000000000 where company_id = p_company and member_id = p_survivor;
  update point_return set after_seq = after_seq + 1000000000
    where company_id = p_company and member_id = p_survivor;
  update point_entry set seq = seq + 1500000000 where company_id = p_company and member_id = p_merged;
  update point_return set after_seq = after_seq + 1500000000
    where company_id = p_company and member_id = p_merged;
  perform move_rows(p_company, p_merged, p_survivor, v_kinds, null);
  select array_agg(entry_id), array_agg(before), array_agg(seq), array_agg(balance)
    into v_entries, v_before, v_seqs, v_balances
    from (
      select entry_id, seq as before, row_number() over chronicle as seq, sum(points) over chronicle as balance
      from (
        select entry_id, seq, points, max(created_at) over (partition by seq > 1500000000 order by seq) as at
        from point_entry where company_id = p_company and member_id = p_survivor
      ) reached window chronicle as (order by at, seq)
    ) placed;
  -- A fact from before the first entry is in no pair.
  update point_return r set after_seq = coalesce((
      select p.seq from unnest(v_before, v_seqs) p (before, seq) where p.before = r.after_seq), 0)
    where r.company_id = p_company and r.member_id = p_survivor;
  update point_entry e set seq = p.seq, balance_after = p.balance
    from unnest(v_entries, v_seqs, v_balances) p (entry_id, seq, balance)
    where e.company_id = p_company and e.member_id = p_survivor and e.entry_id = p.entry_id;
  perform add_up_account(p_company, p_survivor);
  perform add_up_account(p_company, p_merged);
  update point_account set merged = true where company_id = p_company and member_id = p_merged;
  update member set merged = true where company_id = p_company and member_id = p_merged;
  set constraints all immediate;
end $$;

-- Moves rows that were added to the merged member by requests that began before the merge. The command
-- calls this when these requests have ended. Receipts and points are never among the rows: their
-- requests lock the account, see that the member was merged, and are run again.
create function follow_rows(p_company uuid, p_merge uuid, p_survivor uuid, p_merged uuid)
  returns void language plpgsql as $$
begin
  set constraints all deferred;
  perform list_moved(p_company, p_merge, p_merged, array['coupon', 'consent']);
  perform move_rows(p_company, p_merged, p_survivor, array['coupon', 'consent'], null);
  set constraints all immediate;
end $$;

-- Gives entries of one member numbers from 1 on, in their order.
create function number_rows(p_company uuid, p_member uuid) returns void language plpgsql as $$
begin
  update point_entry set seq = seq + 1000000000 where company_id = p_company and member_id = p_member;
  update point_return r set after_seq = (
      select count(*) from point_entry e where e.company_id = p_company and e.member_id = p_member
        and e.seq <= r.after_seq + 1000000000)
    where r.company_id = p_company and r.member_id = p_member;
  update point_entry e set seq = p.seq, balance_after = p.balance
    from (
      select entry_id, row_number() over (order by seq) as seq, sum(points) over (order by seq) as balance
      from point_entry where company_id = p_company and member_id = p_member
    ) p
    where e.company_id = p_company and e.member_id = p_member and e.entry_id = p.entry_id;
end $$;

-- What belongs to a merged member: the rows that the merge has listed, and those that have followed from
-- them since: returns of its sales, undone redemptions, expiry. Null when something since has used
-- what belongs to both. The names by kind; 'survivorFact' has the survivor's returns from before.
create function own_rows(p_company uuid, p_merge uuid, p_survivor uuid) returns jsonb
  language plpgsql set plan_cache_mode = force_custom_plan as $$
declare
  v_names jsonb;
  v_receipts uuid[];
  v_entries uuid[];
  v_facts uuid[];
  v_forgiven uuid[];
  v_more uuid[];
begin
  select jsonb_object_agg(kind, names) into v_names from (
    select kind, jsonb_agg(name) as names from member_merge_row
    where company_id = p_company and merge_id = p_merge group by kind
  ) listed;
  v_names := coalesce(v_names, '{}');
  v_receipts := names_of(v_names, 'receipt')::uuid[];
  loop
    select array_agg(distinct r.transaction_id) into v_more
      from transaction_return r
        join transaction t on t.company_id = p_company and t.place = p_survivor
          and t.transaction_id = r.transaction_id
      where r.company_id = p_company and r.place = p_survivor and r.original_id = any (v_receipts)
        and r.transaction_id <> all (v_receipts);
    exit when v_more is null;
    v_receipts := v_receipts || v_more;
  end loop;
  if exists (
    select from transaction_return r where r.company_id = p_company and r.place = p_survivor
      and r.transaction_id = any (v_receipts) and r.original_id <> all (v_receipts)
  ) then return null; end if;
  v_entries := names_of(v_names, 'entry')::uuid[];
  loop
    select array_agg(e.entry_id) into v_more from point_entry e
      where e.company_id = p_company and e.member_id = p_survivor and e.entry_id <> all (v_entries) and (
        e.transaction_id = any (v_receipts) or e.reverses = any (v_entries)
        or (e.type = 100000012 and e.reverses is null and exists (
          select from point_burn b where b.company_id = p_company and b.member_id = p_survivor
            and b.entry_id = e.entry_id and b.lot_id = any (v_entries))));
    exit when v_more is null;
    v_entries := v_entries || v_more;
  end loop;
  v_facts := names_of(v_names, 'fact')::uuid[];
  -- A return since whose points were still in the lot of its sale says nothing about other lots. Any
  -- other return was settled with the points of both.
  if exists (
    select from point_return r where r.company_id = p_company and r.member_id = p_survivor
      and r.fact_id <> all (v_facts || names_of(v_names, 'survivorFact')::uuid[])
      and not exists (
        select from point_entry e join point_burn b on b.company_id = p_company
          and b.member_id = p_survivor and b.entry_id = e.entry_id and b.lot_id = r.entry_id
        where e.company_id = p_company and e.member_id = p_survivor and r.kind = 'award'
          and e.reverses = r.entry_id and e.transaction_id = r.transaction_id
          and e.points = -r.points and b.points = r.points)
  ) then return null; end if;
  select coalesce(array_agg(r.fact_id), '{}') into v_more from point_return r
    where r.company_id = p_company and r.member_id = p_survivor and r.fact_id <> all (v_facts)
      and (r.entry_id = any (v_entries) or r.transaction_id = any (v_receipts));
  v_facts := v_facts || v_more;
  v_forgiven := names_of(v_names, 'forgiven')::uuid[];
  select coalesce(array_agg(f.forgiven_id), '{}') into v_more from point_forgiven f
    where f.company_id = p_company and f.member_id = p_survivor and f.forgiven_id <> all (v_forgiven)
      and f.transaction_id = any (v_receipts);
  v_forgiven := v_forgiven || v_more;
  return v_names || jsonb_build_object('receipt', v_receipts, 'entry', v_entries, 'fact', v_facts,
    'forgiven', v_forgiven);
end $$;

-- Points that one account took from a lot of the other go back to it, if an undo has settled them, or if
-- they only repaid the other account's debt in the merge. False when others are left.
create function settle_crossed(p_company uuid, p_survivor uuid, p_entries uuid[], p_levelled uuid)
  returns boolean language plpgsql set plan_cache_mode = force_custom_plan as $$
declare
  v_entries uuid[];
  v_lots uuid[];
  v_points bigint[];
  v_roots uuid[];
begin
  select array_agg(b.entry_id), array_agg(b.lot_id), array_agg(b.points),
      array_agg(coalesce(e.reverses, e.entry_id))
    into v_entries, v_lots, v_points, v_roots
    from point_burn b join point_entry e
      on e.company_id = p_company and e.member_id = p_survivor and e.entry_id = b.entry_id
    where b.company_id = p_company and b.member_id = p_survivor and (b.entry_id = p_levelled
      or (b.entry_id = any (p_entries)) <> (b.lot_id = any (p_entries)));
  if exists (
    select from unnest(v_roots, v_points) c (root, points)
    where root is distinct from p_levelled group by root having sum(points) <> 0
  ) then return false; end if;
  update point_lot l set remaining = l.remaining + c.points
    from (select lot_id, sum(points) as points from unnest(v_lots, v_points) t (lot_id, points)
      group by lot_id) c
    where l.company_id = p_company and l.member_id = p_survivor and l.lot_id = c.lot_id;
  delete from point_burn b using unnest(v_entries, v_lots) c (entry_id, lot_id)
    where b.company_id = p_company and b.member_id = p_survivor and b.entry_id = c.entry_id
      and b.lot_id = c.lot_id;
  return true;
end $$;

-- Moves the rows of a merged member back. False, and must then be rolled back, when something since has
-- used what belongs to both.
create function unmerge_rows(p_company uuid, p_merge uuid, p_survivor uuid, p_merged uuid)
  returns boolean language plpgsql as $$
declare
  v_names jsonb;
  v_levelled uuid;
begin
  set constraints all deferred;
  select levelled_by into v_levelled from member_merge where company_id = p_company and merge_id = p_merge;
  v_names := own_rows(p_company, p_merge, p_survivor);
  if v_names is null
    or not settle_crossed(p_company, p_survivor, names_of(v_names, 'entry')::uuid[], v_levelled)
  then return false; end if;
  perform move_rows(p_company, p_survivor, p_merged,
    array['receipt', 'entry', 'fact', 'forgiven', 'coupon', 'consent'], v_names);
  update point_account set merged = false where company_id = p_company and member_id = p_merged;
  update member set merged = false where company_id = p_company and member_id = p_merged;
  perform number_rows(p_company, p_survivor);
  perform number_rows(p_company, p_merged);
  perform add_up_account(p_company, p_survivor);
  perform add_up_account(p_company, p_merged);
  update member_merge set undone_at = now() where company_id = p_company and merge_id = p_merge;
  set constraints all immediate;
  return account_adds_up(p_company, p_survivor) and account_adds_up(p_company, p_merged);
end $$;
