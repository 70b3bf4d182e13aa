-- On several nodes a statement writes the rows of one table, and an insert has values, so that the
-- node of its rows is known before it runs (docs/growing.md). These functions have the arguments and
-- the results that they had; programs of two releases may call them at the same time.

create or replace function redeem_coupons(
  p_company uuid, p_member uuid, p_codes text[], p_today date, p_store text, p_staff uuid, p_invoice text
) returns table (
  coupon_code text, printed_code text, coupon_id text, issue_date date, start_date date, expiry_date date,
  used boolean, voided_reason text, member_id uuid, redeemed_at timestamptz, store_code text
) language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  v_code text;
begin
  -- One by one, so that each is found by its key. Batches that share coupons take them in one order,
  -- so that none waits for one that waits for it.
  for v_code in select code from unnest(p_codes) code order by code loop
    update coupon c set used = true from coupon_definition d
      where c.company_id = p_company and c.member_id = p_member and c.coupon_code = v_code
        and d.company_id = p_company and d.coupon_id = c.coupon_id
        and not c.used and c.voided_reason is null
        -- The sum keeps the index of expiry dates out: the coupon is found by its code.
        and p_today between c.start_date and c.expiry_date + 0
        and (d.redeem_stores is null or p_store = any (d.redeem_stores))
      returning c.coupon_code, c.printed_code, c.coupon_id, c.issue_date, c.start_date, c.expiry_date,
        c.used, c.voided_reason, c.member_id
      into coupon_code, printed_code, coupon_id, issue_date, start_date, expiry_date,
        used, voided_reason, member_id;
    if found then
      insert into coupon_redemption
        (company_id, coupon_code, member_id, store_code, staff_id, invoice_number)
        values (p_company, v_code, p_member, p_store, p_staff, p_invoice)
        returning redeemed_at, store_code into redeemed_at, store_code;
      return next;
    end if;
  end loop;
end $$;

create or replace function take_allowance(
  p_company uuid, p_staff uuid, p_kind text, p_day date, p_amount bigint, p_limit bigint
) returns bigint language plpgsql as $$
declare
  v_used bigint;
begin
  if p_amount > p_limit then
    return null;
  end if;
  insert into given_today as g (company_id, staff_id, kind, day, used)
    values (p_company, p_staff, p_kind, p_day, p_amount)
    on conflict (company_id, staff_id, kind) do update
      set day = greatest(g.day, excluded.day),
        used = excluded.used + case when g.day >= excluded.day then g.used else 0 end
      where excluded.used + case when g.day >= excluded.day then g.used else 0 end <= p_limit
    returning used into v_used;
  return v_used;
end $$;

create or replace function make_coupons(
  p_company uuid, p_member uuid, p_coupon_id text, p_codes text[], p_at timestamptz, p_today date,
  p_start date, p_end date, p_staff uuid, p_store text, p_entry uuid, p_points int
) returns void language plpgsql as $$
begin
  update coupon_definition set issued = issued + cardinality(p_codes)
    where company_id = p_company and coupon_id = p_coupon_id;
  insert into coupon (company_id, coupon_code, member_id, coupon_id, issued_at, issue_date,
      start_date, expiry_date, issued_by, issued_store, entry_id, points_paid)
    values (p_company, unnest(p_codes), p_member, p_coupon_id, p_at, p_today, p_start, p_end, p_staff,
      p_store, p_entry, p_points);
end $$;

create or replace function append_entry(
  p_company uuid, p_member uuid, p_entry uuid, p_type int, p_points bigint, p_amount numeric,
  p_earn_date date, p_expiry_date date, p_invoice text, p_store text, p_staff uuid, p_transaction uuid,
  p_reverses uuid, p_description text, p_at timestamptz
) returns table (seq int, balance_after bigint) language plpgsql as $$
#variable_conflict use_column
declare
  v_seq int;
  v_balance bigint;
  v_day date := booking_day(p_company, p_at);
begin
  update point_account
    set balance = balance + p_points, earned = earned + greatest(p_points, 0),
      used = used + greatest(-p_points, 0), entries = entries + 1
    where company_id = p_company and member_id = p_member
    returning entries, balance into v_seq, v_balance;
  if not found then
    return;
  end if;
  insert into point_entry (company_id, member_id, entry_id, seq, type, points, balance_after,
      amount, earn_date, expiry_date, invoice_number, store_code, staff_id, transaction_id, reverses,
      description, created_at, booked_on)
    values (p_company, p_member, p_entry, v_seq, p_type, p_points, v_balance, p_amount, p_earn_date,
      p_expiry_date, p_invoice, p_store, p_staff, p_transaction, p_reverses, p_description, p_at,
      v_day);
  seq := v_seq;
  balance_after := v_balance;
  return next;
end $$;

create or replace function burn_lots(
  p_company uuid, p_member uuid, p_entry uuid, p_lots uuid[], p_points bigint[]
) returns int language plpgsql as $$
begin
  update point_lot l set remaining = l.remaining - t.points
    from unnest(p_lots, p_points) as t (lot_id, points)
    where l.company_id = p_company and l.member_id = p_member and l.lot_id = t.lot_id;
  insert into point_burn (company_id, member_id, entry_id, lot_id, points)
    values (p_company, p_member, p_entry, unnest(p_lots), unnest(p_points));
  return cardinality(p_lots);
end $$;

create or replace function insert_receipt(
  p_company uuid, p_transaction uuid, p_invoice text, p_source int, p_member uuid, p_store text, p_sales text,
  p_status text, p_type text, p_at timestamptz, p_total numeric, p_discount numeric, p_net numeric,
  p_points bigint, p_hash bytea,
  p_skus text[], p_sku_names text[], p_prices numeric[], p_quantities numeric[], p_totals numeric[],
  p_discounts numeric[], p_spends numeric[],
  p_codes text[], p_names text[], p_values numeric[], p_counts int[]
) returns boolean language plpgsql as $$
begin
  if p_store is not null
    and not exists (select from store where company_id = p_company and store_code = p_store)
  then
    return false;
  end if;
  insert into transaction (company_id, transaction_id, invoice_number, source, member_id, store_code, sales,
      status, invoice_type, occurred_at, total_amount, order_discount, net_spend, item_count, points_earned,
      content_hash)
    values (p_company, p_transaction, p_invoice, p_source, p_member, p_store, p_sales,
      p_status, p_type, p_at, p_total, p_discount, p_net, cardinality(p_skus), p_points, p_hash)
    on conflict (company_id, invoice_number, source) do nothing;
  if not found then
    return false;
  end if;
  -- From the receipt, so that its node is known: a column of limited precision takes no `unnest` as a value.
  if cardinality(p_skus) > 0 then
    insert into transaction_item (company_id, transaction_id, line_no, sku_code, sku_name, price, quantity,
        total, discount, spend)
      select t.company_id, t.transaction_id, i.line_no, i.sku_code, i.sku_name, i.price, i.quantity, i.total,
        i.discount, i.spend
      from transaction t,
        unnest(p_skus, p_sku_names, p_prices, p_quantities, p_totals, p_discounts, p_spends) with ordinality
        i (sku_code, sku_name, price, quantity, total, discount, spend, line_no)
      where t.company_id = p_company and t.transaction_id = p_transaction;
  end if;
  if cardinality(p_codes) > 0 then
    insert into transaction_coupon (company_id, transaction_id, line_no, coupon_code, name, value, quantity)
      select t.company_id, t.transaction_id, c.line_no, c.coupon_code, c.name, c.value, c.quantity
      from transaction t, unnest(p_codes, p_names, p_values, p_counts) with ordinality
        c (coupon_code, name, value, quantity, line_no)
      where t.company_id = p_company and t.transaction_id = p_transaction;
  end if;
  return true;
end $$;

create or replace function add_spend(
  p_company uuid, p_member uuid, p_transaction uuid, p_days date[], p_amounts numeric[]
) returns void language plpgsql as $$
begin
  insert into qualifying_spend (company_id, member_id, transaction_id, spent_on, amount)
    values (p_company, p_member, p_transaction, unnest(p_days), unnest(p_amounts));
end $$;

-- Points that a return should have taken and the member no longer had.
create function add_forgiven(
  p_company uuid, p_member uuid, p_id uuid, p_points bigint, p_transaction uuid, p_store text,
  p_at timestamptz, p_invoice text
) returns void language plpgsql as $$
declare
  v_day date := booking_day(p_company, p_at);
begin
  insert into point_forgiven (company_id, member_id, forgiven_id, points, transaction_id,
      store_code, created_at, booked_on, invoice_number)
    values (p_company, p_member, p_id, p_points, p_transaction, p_store, p_at, v_day, p_invoice);
end $$;

-- Immutable, unlike the operator, because seconds are the same in each time zone. What a conflict
-- writes must not depend on a setting.
create function seconds_after(p_at timestamptz, p_seconds float8) returns timestamptz
language sql immutable parallel safe
  return p_at + make_interval(secs => p_seconds);

-- The tries of the last 15 minutes, the oldest first.
create function recent_tries(p_tries timestamptz[], p_now timestamptz) returns timestamptz[]
language sql immutable parallel safe
  return array(select x from unnest(p_tries) x where x > p_now - interval '15 minutes' order by x);

-- Writes events about members, and a row of the outbox for each webhook that subscribes to them.
-- Writes nothing where none does. The row of `outbox_member` stays locked until the commit, so a
-- member's events are numbered, and get their ids, in the order of their commits.
-- p_changes: objects with member_id, store, actor and data; data of a coupon has its couponCode.
create function enqueue_events(p_company uuid, p_event text, p_changes jsonb) returns void
language plpgsql as $$
declare
  v_change record;
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
    select jsonb_build_object('memberCode', m.member_code) || v_change.data into strict v_data
      from member m where m.company_id = p_company and m.member_id = v_change.member_id;
    if starts_with(p_event, 'coupon.') then
      select jsonb_build_object('couponId', d.coupon_id, 'unionCode', d.union_code) || v_data
        into strict v_data
        from coupon c join coupon_definition d on d.company_id = p_company and d.coupon_id = c.coupon_id
        where c.company_id = p_company and c.member_id = v_change.member_id
          and c.coupon_code = v_data ->> 'couponCode';
    end if;
    insert into outbox_member (company_id, member_id, last_seq)
      values (p_company, v_change.member_id, 1)
      on conflict (company_id, member_id) do update set last_seq = outbox_member.last_seq + 1
      returning last_seq into v_seq;
    v_event := uuidv7();
    insert into event (company_id, member_id, seq, event_id, event, store_code, actor, data)
      values (p_company, v_change.member_id, v_seq, v_event, p_event, v_change.store,
        v_change.actor, v_data);
    insert into outbox (company_id, webhook_id, member_id, seq, event_id, event, data)
      select w.company_id, w.webhook_id, v_change.member_id, v_seq, v_event, p_event, v_data
      from webhook w where w.company_id = p_company and not w.stopped and p_event = any (w.events);
  end loop;
end $$;

create or replace function tier_progress(
  p_company uuid, p_member uuid, p_at timestamptz, p_zone text, p_window text
) returns table (
  day date, as_of date, expiry_date date, tier_code text, level int, multiplier numeric, spent numeric
) language plpgsql stable as $$
declare
  v_day date := (p_at at time zone p_zone)::date;
  v_as_of date;
begin
  select greatest(v_day, max(q.spent_on)) into v_as_of from qualifying_spend q
    where q.company_id = p_company and q.member_id = p_member;
  return query
    select v_day, v_as_of, mt.expiry_date, mt.tier_code, t.level, t.multiplier, (
        select coalesce(sum(q.amount), 0.00) from qualifying_spend q
        where q.company_id = p_company and q.member_id = p_member
          and q.spent_on between window_start(v_as_of, p_window) and v_as_of
      )
      from member_tier mt join tier t on t.company_id = p_company and t.tier_code = mt.tier_code
      where mt.company_id = p_company and mt.member_id = p_member;
end $$;

create or replace function booking_day(wanted uuid, at timestamptz) returns date language plpgsql stable as $$
declare
  v_day date;
  v_open date;
begin
  select (at at time zone c.time_zone)::date into v_day from company c where c.company_id = wanted;
  select (max(month) + interval '1 month')::date into v_open from point_month where company_id = wanted;
  return greatest(v_day, v_open);
end $$;

-- The sales that these references name, and those that are connected with them: a redemption with two
-- references says that both name one sale, unless it was undone. Sorted, for locks.
-- p_refund: the type of the entries that undo.
create function connected_sales(
  p_company uuid, p_refund int, p_kinds text[], p_references text[],
  out kinds text[], out reference_names text[]
) language plpgsql stable as $$
declare
  v_kinds text[] := p_kinds;
  v_references text[] := p_references;
  v_other_kinds text[];
  v_other_references text[];
begin
  loop
    select array_agg(s.kind), array_agg(s.reference) into kinds, reference_names
      from (
        select distinct kind, reference
        from unnest(v_kinds || v_other_kinds, v_references || v_other_references) u (kind, reference)
        order by kind, reference
      ) s;
    exit when cardinality(kinds) = cardinality(v_kinds) and v_other_kinds is not null;
    v_kinds := kinds;
    v_references := reference_names;
    select coalesce(array_agg(other.kind), '{}'), coalesce(array_agg(other.reference), '{}')
      into v_other_kinds, v_other_references
      from unnest(v_kinds, v_references) s (kind, reference)
        join sale_redemption r
          on r.company_id = p_company and r.kind = s.kind and r.reference = s.reference
        join sale_redemption other on other.company_id = p_company
          and other.member_id = r.member_id and other.entry_id = r.entry_id
      where not exists (
        select from point_entry c where c.company_id = p_company and c.member_id = r.member_id
          and c.reverses = r.entry_id and c.transaction_id is null and c.type = p_refund);
  end loop;
end $$;

-- The row of a sale is its lock. It is updated to itself, so that a concurrent redemption of another
-- member waits, and adds up the points of this one too.
create function lock_sales(p_company uuid, p_refund int, p_kinds text[], p_references text[]) returns void
language plpgsql as $$
declare
  v_kinds text[];
  v_references text[];
begin
  select s.kinds, s.reference_names into v_kinds, v_references
    from connected_sales(p_company, p_refund, p_kinds, p_references) s;
  insert into paid_sale (company_id, kind, reference)
    values (p_company, unnest(v_kinds), unnest(v_references))
    on conflict (company_id, kind, reference) do update set reference = excluded.reference;
end $$;

-- The points that have paid for these sales, without what was undone or came back with goods.
create function paid_for_sales(
  p_company uuid, p_refund int, p_kinds text[], p_references text[]
) returns bigint language plpgsql as $$
declare
  v_kinds text[];
  v_references text[];
  v_points bigint;
begin
  select s.kinds, s.reference_names into v_kinds, v_references
    from connected_sales(p_company, p_refund, p_kinds, p_references) s;
  select coalesce(sum(paid.points), 0) into v_points from (
    select distinct r.member_id, r.entry_id, r.points - coalesce((
      select sum(c.points) from point_entry c where c.company_id = p_company
        and c.member_id = r.member_id and c.reverses = r.entry_id and c.type = p_refund
    ), 0) as points
    from unnest(v_kinds, v_references) s (kind, reference)
      join sale_redemption r
        on r.company_id = p_company and r.kind = s.kind and r.reference = s.reference
  ) paid;
  return v_points;
end $$;

-- On several nodes a function with parameters that reads tables is written in PL/pgSQL.
create or replace function held_merges(wanted uuid, member uuid) returns setof member_merge
language plpgsql stable as $$
begin
  return query
    with recursive held as (
      select g.* from member_merge g
      where g.company_id = wanted and g.survivor_id = member and g.undone_at is null
      union all
      select g.* from held h join member_merge g
        on g.company_id = wanted and g.survivor_id = h.merged_id and g.undone_at is null
    ) select * from held;
end $$;

create or replace function merge_places(wanted uuid, member uuid)
returns table (merged_id uuid, survivor_id uuid, seq bigint, day date) language plpgsql stable as $$
#variable_conflict use_column
declare
  v_zone text;
begin
  select time_zone into v_zone from company where company_id = wanted;
  return query
    with recursive held as (
      select g.* from member_merge g
      where g.company_id = wanted and g.survivor_id = member and g.undone_at is null
      union all
      select g.* from held h join member_merge g
        on g.company_id = wanted and g.survivor_id = h.merged_id and g.undone_at is null
    )
    select h.merged_id, h.survivor_id, e.seq::bigint, (h.merged_at at time zone v_zone)::date
    from held h join point_entry e
      on e.company_id = wanted and e.member_id = member and e.entry_id = h.last_entry
    order by h.merge_id;
end $$;

create or replace function owners_before_merges(wanted uuid, member uuid)
returns table (name text, owner uuid) language plpgsql stable as $$
#variable_conflict use_column
begin
  return query
    with recursive held as (
      select g.* from member_merge g
      where g.company_id = wanted and g.survivor_id = member and g.undone_at is null
      union all
      select g.* from held h join member_merge g
        on g.company_id = wanted and g.survivor_id = h.merged_id and g.undone_at is null
    )
    select distinct on (r.name) r.name,
      case r.kind when 'survivorFact' then h.survivor_id else h.merged_id end
    from held h join member_merge_row r on r.company_id = wanted and r.merge_id = h.merge_id
    where h.last_entry is not null and r.kind in ('entry', 'fact', 'survivorFact')
    order by r.name, h.merge_id;
end $$;
