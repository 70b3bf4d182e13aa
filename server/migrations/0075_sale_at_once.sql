-- Recording a sale in one round trip, under the rules of 0067_redeem_at_once.sql.

-- The first day of the window that ends on a day: the first day of its calendar year, or the day after the same day a
-- year before.
create function window_start(p_day date, p_window text) returns date language sql immutable parallel safe
  return case p_window when 'calendarYear' then date_trunc('year', p_day::timestamp)::date
    else (p_day - interval '1 year')::date + 1 end;

-- A member's progress towards the next tier when a sale arrives. A late sale counts on its own day, but the tier is
-- judged on the latest day with spend: a till that was offline must not move a member back in time.
create function tier_progress(
  p_company uuid, p_member uuid, p_at timestamptz, p_zone text, p_window text
) returns table (
  day date, as_of date, expiry_date date, tier_code text, level int, multiplier numeric, spent numeric
) language sql stable begin atomic
  select d.day, l.as_of, mt.expiry_date, mt.tier_code, t.level, t.multiplier, (
      select coalesce(sum(q.amount), 0.00) from qualifying_spend q
      where q.company_id = p_company and q.member_id = p_member
        and q.spent_on between window_start(l.as_of, p_window) and l.as_of
    )
    from member_tier mt
      join tier t on t.company_id = mt.company_id and t.tier_code = mt.tier_code,
      lateral (select (p_at at time zone p_zone)::date as day) d,
      lateral (
        select greatest(d.day, (
          select max(q.spent_on) from qualifying_spend q
          where q.company_id = p_company and q.member_id = p_member)) as as_of
      ) l
    where mt.company_id = p_company and mt.member_id = p_member;
end;

-- Inserts a receipt with its lines and coupons. False, and nothing inserted, if the receipt exists already or the
-- company has no such store.
create function insert_receipt(
  p_company uuid, p_transaction uuid, p_invoice text, p_source int, p_member uuid, p_store text, p_sales text,
  p_status text, p_type text, p_at timestamptz, p_total numeric, p_discount numeric, p_net numeric,
  p_points bigint, p_hash bytea,
  p_skus text[], p_sku_names text[], p_prices numeric[], p_quantities numeric[], p_totals numeric[],
  p_discounts numeric[], p_spends numeric[],
  p_codes text[], p_names text[], p_values numeric[], p_counts int[]
) returns boolean language plpgsql as $$
begin
  insert into transaction (company_id, transaction_id, invoice_number, source, member_id, store_code, sales,
      status, invoice_type, occurred_at, total_amount, order_discount, net_spend, item_count, points_earned,
      content_hash)
    select p_company, p_transaction, p_invoice, p_source, p_member, p_store, p_sales,
      p_status, p_type, p_at, p_total, p_discount, p_net, cardinality(p_skus), p_points, p_hash
    where p_store is null or exists (select from store where company_id = p_company and store_code = p_store)
    on conflict (company_id, invoice_number, source) do nothing;
  if not found then
    return false;
  end if;
  if cardinality(p_skus) > 0 then
    insert into transaction_item (company_id, transaction_id, line_no, sku_code, sku_name, price, quantity,
        total, discount, spend)
      select p_company, p_transaction, line_no, sku_code, sku_name, price, quantity, total, discount, spend
      from unnest(p_skus, p_sku_names, p_prices, p_quantities, p_totals, p_discounts, p_spends) with ordinality
        i (sku_code, sku_name, price, quantity, total, discount, spend, line_no);
  end if;
  if cardinality(p_codes) > 0 then
    insert into transaction_coupon (company_id, transaction_id, line_no, coupon_code, name, value, quantity)
      select p_company, p_transaction, line_no, coupon_code, name, value, quantity
      from unnest(p_codes, p_names, p_values, p_counts) with ordinality
        c (coupon_code, name, value, quantity, line_no);
  end if;
  return true;
end $$;

-- The lot of an entry that gives points.
create function add_lot(
  p_company uuid, p_member uuid, p_lot uuid, p_points bigint, p_earned_at timestamptz, p_active_from date,
  p_expires_on date
) returns void language plpgsql as $$
begin
  insert into point_lot (company_id, member_id, lot_id, points, remaining, earned_at, active_from, expires_on)
    values (p_company, p_member, p_lot, p_points, p_points, p_earned_at, p_active_from, p_expires_on);
end $$;

-- The goods and the money of an entry of a promotion, for later returns.
create function add_promotion(
  p_company uuid, p_member uuid, p_entry uuid, p_promotion text, p_skus text[], p_bought numeric
) returns void language plpgsql as $$
begin
  insert into point_promotion (company_id, member_id, entry_id, promotion_id, sku_codes, sale_amount)
    values (p_company, p_member, p_entry, p_promotion, p_skus, p_bought);
end $$;

-- Qualifying spend by day; below zero for returned goods.
create function add_spend(
  p_company uuid, p_member uuid, p_transaction uuid, p_days date[], p_amounts numeric[]
) returns void language plpgsql as $$
begin
  insert into qualifying_spend (company_id, member_id, transaction_id, spent_on, amount)
    select p_company, p_member, p_transaction, day, amount from unnest(p_days, p_amounts) s (day, amount);
end $$;

-- Records a sale of a member that changes no tier, and returns its points. The program has calculated what the sale
-- earns in each tier of the company, because it does not know the member's: p_outcomes has, by the code of the tier, its
-- multiplier, the spend at which the member would reach another tier, and the entries. A debt, an ended period, a
-- reached tier, a repeated receipt and a sale of the future are left to the long way.
create function record_sale(
  p_company uuid, p_member uuid, p_now timestamptz, p_transaction uuid, p_invoice text, p_source int,
  p_store text, p_sales text, p_at timestamptz, p_total numeric, p_discount numeric, p_net numeric, p_hash bytea,
  p_skus text[], p_sku_names text[], p_prices numeric[], p_quantities numeric[], p_totals numeric[],
  p_discounts numeric[], p_spends numeric[],
  p_codes text[], p_names text[], p_values numeric[], p_counts int[],
  p_day date, p_zone text, p_window text, p_outcomes jsonb, p_request text, p_details jsonb
) returns bigint language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  v_standing record;
  v_outcome jsonb;
  v_entry record;
  v_points bigint;
begin
  perform require_no_subscriber(p_company, 'points.changed');
  perform require_no_subscriber(p_company, 'transaction.recorded');
  perform from point_account
    where company_id = p_company and member_id = p_member and not merged and balance >= 0 for update;
  if not found or p_at > p_now + interval '12 hours' then
    raise exception 'merged, in debt or in the future' using errcode = 'TS002';
  end if;
  select * into v_standing from tier_progress(p_company, p_member, p_at, p_zone, p_window);
  v_outcome := p_outcomes -> v_standing.tier_code;
  if v_outcome is null or v_standing.day <> p_day or v_standing.expiry_date < p_day
    or v_standing.multiplier <> (v_outcome ->> 'multiplier')::numeric
    or v_standing.spent + p_net >= (v_outcome ->> 'below')::numeric
  then
    raise exception 'another tier or period' using errcode = 'TS002';
  end if;
  v_points := (v_outcome ->> 'points')::bigint;
  if not insert_receipt(p_company, p_transaction, p_invoice, p_source, p_member, p_store, p_sales,
    'completed', 'sale', p_at, p_total, p_discount, p_net, v_points, p_hash,
    p_skus, p_sku_names, p_prices, p_quantities, p_totals, p_discounts, p_spends,
    p_codes, p_names, p_values, p_counts)
  then
    raise exception 'recorded already' using errcode = 'TS002';
  end if;
  if p_net <> 0 then
    perform add_spend(p_company, p_member, p_transaction, array[p_day], array[p_net]);
  end if;
  for v_entry in
    select * from jsonb_to_recordset(v_outcome -> 'entries') as e (
      id uuid, type int, points bigint, amount numeric, active_from date, expires_on date, description text,
      promotion text, skus text[], bought numeric)
  loop
    perform append_entry(p_company, p_member, v_entry.id, v_entry.type, v_entry.points, v_entry.amount, p_day,
      v_entry.expires_on, p_invoice, p_store, null, p_transaction, null, v_entry.description, p_at);
    perform add_lot(p_company, p_member, v_entry.id, v_entry.points, p_at, v_entry.active_from,
      v_entry.expires_on);
    if v_entry.promotion is not null then
      perform add_promotion(p_company, p_member, v_entry.id, v_entry.promotion, v_entry.skus, v_entry.bought);
    end if;
  end loop;
  perform write_audit(p_company, p_member, null, p_store, 'transaction.record', p_request,
    p_details || jsonb_build_object('points', v_points));
  return v_points;
end $$;
