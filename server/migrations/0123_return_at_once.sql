-- Returning goods of one sale in one round trip, under the rules of 0067_redeem_at_once.sql.

-- The points of an award to take back when p_before of its money was returned earlier and p_now is returned in addition:
-- floor(award × (before + now) / amount) − floor(award × before / amount), with returned money limited to the amount.
-- So partial returns never take more than the award, and together they take all of it when everything is returned.
create function share_of_award(
  p_award bigint, p_amount numeric, p_before numeric, p_now numeric
) returns bigint language sql immutable parallel safe
  return case when round(p_amount, 4) <= 0 then 0 else (
    div(p_award * least(round(p_before, 4) + round(p_now, 4), round(p_amount, 4)), round(p_amount, 4))
    - div(p_award * least(round(p_before, 4), round(p_amount, 4)), round(p_amount, 4)))::bigint end;

-- Whether a sale still has the pieces that a return asks for. Goods that it did not sell at this price are limited by
-- money only. A return after a discount on the whole receipt is stored as one part, line 0, without a quantity.
-- p_back: the lines of earlier returns, if they are not at the place of the sale.
create function has_pieces(
  p_company uuid, p_place uuid, p_sale uuid, p_skus text[], p_prices numeric[], p_quantities numeric[], p_back jsonb
) returns boolean language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  return not exists (
    with back as (
      select r.line_no as part, r.quantity as taken, i.quantity, i.sku_code, i.price
      from transaction_return r join transaction_item i on i.company_id = p_company and i.place = p_place
        and i.transaction_id = r.transaction_id and r.line_no in (0, i.line_no)
      where p_back is null and r.company_id = p_company and r.place = p_place and r.original_id = p_sale
      union all
      select r.line_no, r.quantity, i.quantity, i.sku_code, i.price
      from transaction_return r
        join jsonb_to_recordset(p_back) i (
          transaction_id uuid, line_no int, sku_code text, price numeric, quantity numeric)
        on i.transaction_id = r.transaction_id and r.line_no in (0, i.line_no)
      where r.company_id = p_company and r.place = p_place and r.original_id = p_sale
    )
    select from (
      select sku_code, price, sum(quantity) as asked
      from unnest(p_skus, p_prices, p_quantities) l (sku_code, price, quantity)
      group by sku_code, price
    ) w join (
      select sku_code, price, sum(quantity) as sold from transaction_item
      where company_id = p_company and place = p_place and transaction_id = p_sale and sku_code = any (p_skus)
        and quantity > 0
      group by sku_code, price
    ) s using (sku_code, price)
    where w.asked > s.sold - coalesce((
      select sum(case back.part when 0 then -back.quantity else back.taken end) from back
      where back.quantity < 0 and back.sku_code = s.sku_code and back.price = s.price), 0)
  );
end $$;

-- Stores the parts of a return, each of one sale. The result is their number; fewer: a sale is at another place.
create function add_return(
  p_company uuid, p_place uuid, p_transaction uuid, p_lines int[], p_sales uuid[], p_quantities numeric[],
  p_amounts numeric[]
) returns int language plpgsql as $$
declare
  v_parts int;
begin
  insert into transaction_return (company_id, place, transaction_id, line_no, original_id, quantity, amount)
    select t.company_id, t.place, p_transaction, r.line_no, t.transaction_id, r.quantity, r.amount
    from unnest(p_lines, p_sales, p_quantities, p_amounts) as r (line_no, original_id, quantity, amount)
      join transaction t on t.company_id = p_company and t.place = p_place and t.transaction_id = r.original_id;
  get diagnostics v_parts = row_count;
  return v_parts;
end $$;

-- The points that a return takes of the awards of its sales, and the money that had earned them, rounded to p_places.
-- The parts of the return are stored already. For a promotion on some goods only, the money of those goods counts; a
-- return without lines counts for all goods of its sale in proportion to their money. The running sums are rounded, not
-- the parts, so that all parts add up to the whole.
create function returned_awards(
  p_company uuid, p_member uuid, p_sales uuid[], p_return uuid, p_places int
) returns table (lot_id uuid, points bigint, amount numeric)
language plpgsql stable set plan_cache_mode = force_generic_plan as $$
begin
  return query
    select a.entry_id, a.share, round(a.now, p_places)
    from (
      select e.seq, e.entry_id, m.now, share_of_award(e.points, coalesce(e.amount, 0), m.before, m.now) as share
      from point_entry e
        left join point_promotion p on p.company_id = p_company and p.member_id = p_member
          and p.entry_id = e.entry_id and p.sku_codes is not null
        cross join lateral (
          select coalesce(sum(part) filter (where transaction_id <> p_return), 0) as before,
            coalesce(sum(part) filter (where transaction_id = p_return), 0) as now
          from (
            select r.transaction_id, case when p.entry_id is not null and r.line_no = 0
              then r.amount * e.amount / p.sale_amount else r.amount end as part
            from transaction_return r
              left join transaction_item i on i.company_id = p_company and i.place = p_member
                and i.transaction_id = r.transaction_id and i.line_no = r.line_no
            where r.company_id = p_company and r.place = p_member and r.original_id = e.transaction_id
              and (p.entry_id is null or r.line_no = 0 or i.sku_code = any (p.sku_codes))
          ) parts
        ) g
        cross join lateral (
          select round(g.before, 4) as before, round(g.before + g.now, 4) - round(g.before, 4) as now
        ) m
      where e.company_id = p_company and e.member_id = p_member and e.transaction_id = any (p_sales)
        and e.type in (100000000, 100000001)
    ) a
    where a.share > 0
    order by a.seq;
end $$;

-- Stores the points that a return asks for, whether it can take them or not.
create function add_return_facts(
  p_company uuid, p_member uuid, p_transaction uuid, p_after int, p_day date, p_ids uuid[], p_kinds text[],
  p_entries uuid[], p_points bigint[], p_grace date[]
) returns void language plpgsql as $$
begin
  insert into point_return (company_id, member_id, transaction_id, after_seq, day, fact_id, kind, entry_id, points,
      grace_until)
    values (p_company, p_member, p_transaction, p_after, p_day, unnest(p_ids), unnest(p_kinds), unnest(p_entries),
      unnest(p_points), unnest(p_grace));
end $$;

-- Takes the points of returned goods from the lots of their own awards. No rows, and nothing changed, unless each lot
-- still holds them and only returns of its own sale have ever taken points from it; after a return that had to be
-- replayed no lot counts, because in the replay a spending may have taken points from another lot than in the ledger.
-- The replay decides then.
create function take_back_awards(
  p_company uuid, p_member uuid, p_transaction uuid, p_day date, p_at timestamptz, p_invoice text, p_store text,
  p_lots uuid[], p_points bigint[], p_amounts numeric[], p_ids uuid[], p_facts uuid[]
) returns table (seq int, balance_after bigint)
language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  v_untouched int;
  v_after int;
begin
  select count(*) into v_untouched from unnest(p_lots, p_points) t (lot_id, points)
    join point_lot l on l.company_id = p_company and l.member_id = p_member and l.lot_id = t.lot_id
    where l.remaining >= t.points and (l.expires_on is null or l.expires_on >= p_day)
      and not exists (
        select from point_burn b join point_entry e
          on e.company_id = p_company and e.member_id = p_member and e.entry_id = b.entry_id
        where b.company_id = p_company and b.member_id = p_member and b.lot_id = l.lot_id
          and e.reverses is distinct from l.lot_id);
  if v_untouched < cardinality(p_lots) or exists (
    select from point_return r where r.company_id = p_company and r.member_id = p_member and r.kind = 'award'
      and (r.points > (
        select coalesce(sum(b.points), 0) from point_burn b join point_entry e
          on e.company_id = p_company and e.member_id = p_member and e.entry_id = b.entry_id
        where b.company_id = p_company and b.member_id = p_member and b.lot_id = r.entry_id
          and e.reverses = r.entry_id and e.transaction_id = r.transaction_id)
      or exists (
        select from point_burn b join point_entry e
          on e.company_id = p_company and e.member_id = p_member and e.entry_id = b.entry_id
        where b.company_id = p_company and b.member_id = p_member and b.lot_id = r.entry_id
          and e.seq <= r.after_seq and e.reverses is distinct from r.entry_id)))
  then
    return;
  end if;
  select entries into v_after from point_account where company_id = p_company and member_id = p_member;
  perform add_return_facts(p_company, p_member, p_transaction, v_after, p_day, p_facts[1 : cardinality(p_lots)],
    array_fill('award'::text, array[cardinality(p_lots)]), p_lots, p_points,
    array_fill(null::date, array[cardinality(p_lots)]));
  for n in 1 .. cardinality(p_lots) loop
    return query select a.seq, a.balance_after from append_entry(p_company, p_member, p_ids[n], 100000008,
      -p_points[n], p_amounts[n], null, null, p_invoice, p_store, null, p_transaction, p_lots[n], null, p_at) a;
    perform burn_lots(p_company, p_member, p_ids[n], p_lots[n : n], p_points[n : n]);
  end loop;
end $$;

-- Records a return of goods of one sale whose points are untouched, and returns the points that it takes. p_back: the
-- columns of the returned goods; p_parts: those of the parts of the return. p_terms: the decimals of money (`places`);
-- the spend below which no tier was ever reached (`below`; null: a return changes no tier); whether points (`points`)
-- and coupons (`coupons`) that paid come back. A sale of another member or without one, more than is left of it, and
-- all effects but the points of its awards are left to the long way.
create function record_return(
  p_company uuid, p_member uuid, p_now timestamptz, p_transaction uuid, p_invoice text, p_source int,
  p_store text, p_sales text, p_at timestamptz, p_total numeric, p_discount numeric, p_net numeric, p_hash bytea,
  p_skus text[], p_sku_names text[], p_prices numeric[], p_quantities numeric[], p_totals numeric[],
  p_discounts numeric[], p_spends numeric[],
  p_codes text[], p_names text[], p_values numeric[], p_counts int[],
  p_day date, p_zone text, p_original text, p_original_source int,
  p_back_skus text[], p_back_prices numeric[], p_back_quantities numeric[],
  p_part_lines int[], p_part_quantities numeric[], p_part_amounts numeric[],
  p_terms jsonb, p_ids uuid[], p_facts uuid[], p_request text, p_details jsonb
) returns bigint language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  v_sale record;
  v_awards record;
  v_taken bigint := 0;
begin
  perform require_no_subscriber(p_company, 'points.changed');
  perform require_no_subscriber(p_company, 'transaction.recorded');
  perform from point_account
    where company_id = p_company and member_id = p_member and not merged and balance >= 0 for update;
  if not found or p_at > p_now + interval '12 hours' then
    raise exception 'merged, in debt or in the future' using errcode = 'TS002';
  end if;
  perform from member_tier where company_id = p_company and member_id = p_member
    and (expiry_date is null or expiry_date >= p_day);
  if not found or (p_at at time zone p_zone)::date <> p_day then
    raise exception 'another period' using errcode = 'TS002';
  end if;
  select k.transaction_id as id into v_sale from receipt_key k
    where k.company_id = p_company and k.invoice_number = p_original and k.source = p_original_source
      and k.place = p_member;
  select t.transaction_id as id, (t.occurred_at at time zone p_zone)::date as day, t.net_spend into v_sale
    from transaction t
    where t.company_id = p_company and t.place = p_member and t.transaction_id = v_sale.id
      and t.member_id = p_member and t.status = 'completed' and t.invoice_type = 'sale'
    for no key update;
  if not found or v_sale.net_spend + p_net < coalesce((
      select sum(r.amount) from transaction_return r
      where r.company_id = p_company and r.place = p_member and r.original_id = v_sale.id), 0)
    or not has_pieces(p_company, p_member, v_sale.id, p_back_skus, p_back_prices, p_back_quantities, null)
  then
    raise exception 'no such sale, or too little of it is left' using errcode = 'TS002';
  end if;
  if (p_terms ->> 'points')::boolean and exists (
      select from point_entry where company_id = p_company and member_id = p_member and type = 100000015
        and invoice_number = p_original)
    or (p_terms ->> 'coupons')::boolean and (exists (
      select from transaction_coupon
      where company_id = p_company and place = p_member and transaction_id = v_sale.id)
    or exists (
      select from coupon_redemption
      where company_id = p_company and member_id = p_member and invoice_number = p_original
        and cancelled_at is null))
    or (p_terms ->> 'below')::numeric <= (
      select sum(amount) from qualifying_spend
      where company_id = p_company and member_id = p_member and amount > 0)
  then
    raise exception 'more than points of its awards' using errcode = 'TS002';
  end if;
  if not insert_receipt(p_company, p_transaction, p_invoice, p_source, p_member, p_store, p_sales,
    'completed', 'return', p_at, p_total, p_discount, p_net, 0, p_hash,
    p_skus, p_sku_names, p_prices, p_quantities, p_totals, p_discounts, p_spends,
    p_codes, p_names, p_values, p_counts)
  then
    raise exception 'recorded already' using errcode = 'TS002';
  end if;
  perform add_return(p_company, p_member, p_transaction, p_part_lines,
    array_fill(v_sale.id, array[cardinality(p_part_lines)]), p_part_quantities, p_part_amounts);
  if p_net <> 0 then
    perform add_spend(p_company, p_member, p_transaction, array[v_sale.day], array[p_net]);
  end if;
  select array_agg(a.lot_id) as lots, array_agg(a.points) as points, array_agg(a.amount) as amounts,
      sum(a.points)::bigint as taken, count(*)::int as number into v_awards
    from returned_awards(p_company, p_member, array[v_sale.id], p_transaction, (p_terms ->> 'places')::int) a;
  if v_awards.number > cardinality(p_ids) then
    raise exception 'too many awards' using errcode = 'TS002';
  end if;
  if v_awards.number > 0 then
    v_taken := v_awards.taken;
    perform take_back_awards(p_company, p_member, p_transaction, p_day, p_at, p_invoice, p_store,
      v_awards.lots, v_awards.points, v_awards.amounts, p_ids, p_facts);
    if not found then
      raise exception 'spent or expired' using errcode = 'TS002';
    end if;
    update transaction set points_earned = points_earned - v_taken
      where company_id = p_company and place = p_member and transaction_id = p_transaction;
  end if;
  perform write_audit(p_company, p_member, null, p_store, 'transaction.record', p_request,
    p_details || jsonb_build_object('points', -v_taken));
  return v_taken;
end $$;
