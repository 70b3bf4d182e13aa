-- What a cluster with members on several nodes needs of functions; nothing else changes.

-- The codes of coupons are on different nodes, so each key is inserted by itself. Otherwise as in 0104.
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
  perform set_config('app.keyed', 'yes', true);
  insert into coupon (company_id, coupon_code, member_id, coupon_id, issued_at, issue_date,
      start_date, expiry_date, issued_by, issued_store, entry_id, points_paid)
    values (p_company, unnest(p_codes), p_member, p_coupon_id, p_at, p_today, p_start, p_end, p_staff,
      p_store, p_entry, p_points);
  perform set_config('app.keyed', '', true);
end $$;

-- The member's row says where the rows of the outbox are. Otherwise as in 0086.
create or replace function enqueue_events(p_company uuid, p_event text, p_changes jsonb) returns void
language plpgsql as $$
declare
  v_change record;
  v_member uuid;
  v_data jsonb;
  v_seq int;
  v_event uuid;
begin
  perform from webhook
    where company_id = p_company and not stopped and p_event = any (events) limit 1;
  if not found then
    return;
  end if;
  for v_change in
    select r.member_id, r.store, nullif(r.actor, 'null'::jsonb) as actor, r.data
    from rows from (jsonb_to_recordset(p_changes) as (member_id uuid, store text, actor jsonb, data jsonb))
      with ordinality as r (member_id, store, actor, data, n)
    order by r.member_id, r.n
  loop
    v_member := v_change.member_id;
    select jsonb_build_object('memberCode', m.member_code) || v_change.data into strict v_data
      from member m where m.company_id = p_company and m.member_id = v_member;
    if starts_with(p_event, 'coupon.') then
      select jsonb_build_object('couponId', d.coupon_id, 'unionCode', d.union_code) || v_data
        into strict v_data
        from coupon c join coupon_definition d on d.company_id = p_company and d.coupon_id = c.coupon_id
        where c.company_id = p_company and c.member_id = v_member
          and c.coupon_code = v_data ->> 'couponCode';
    end if;
    insert into outbox_member (company_id, member_id, last_seq)
      values (p_company, v_member, 1)
      on conflict (company_id, member_id) do update set last_seq = outbox_member.last_seq + 1
      returning last_seq into v_seq;
    v_event := uuidv7();
    insert into event (company_id, member_id, seq, event_id, event, store_code, actor, data)
      values (p_company, v_member, v_seq, v_event, p_event, v_change.store,
        v_change.actor, v_data);
    insert into outbox (company_id, webhook_id, member_id, seq, event_id, event, data)
      select m.company_id, w.webhook_id, m.member_id, v_seq, v_event, p_event, v_data
      from member m join webhook w
        on w.company_id = p_company and not w.stopped and p_event = any (w.events)
      where m.company_id = p_company and m.member_id = v_member;
  end loop;
end $$;

-- What a delete returns is immutable, which to_jsonb is not. Otherwise as in 0098.
create or replace function move_rows(
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
         returning t.*
       )
       select array_agg(part) from (
         select jsonb_agg(row) as part from (
           select to_jsonb(g) as row, row_number() over () as n from gone g
         ) r
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

-- The tier of a new member.
create function lowest_tier(p_company uuid) returns text language plpgsql stable as $$
begin
  return (select tier_code from tier
    where company_id = p_company and not stopped order by level limit 1);
end $$;

-- Sales are on different nodes, so each is locked by itself. Otherwise as in 0111.
create or replace function lock_sales_for(
  p_company uuid, p_member uuid, p_refund int, p_kinds text[], p_references text[]
) returns void language plpgsql as $$
declare
  v_sale record;
begin
  for v_sale in
    select u.kind, u.reference
    from sales_of_one(p_company, p_refund, p_kinds, p_references) s
      cross join lateral unnest(s.kinds, s.reference_names) with ordinality u (kind, reference, n)
    order by u.n
  loop
    insert into paid_sale as s (company_id, kind, reference, payers)
      values (p_company, v_sale.kind, v_sale.reference, array[p_member])
      on conflict (company_id, kind, reference) do update
        set payers = case when s.payers @> excluded.payers then s.payers
          else s.payers || excluded.payers end;
  end loop;
end $$;
