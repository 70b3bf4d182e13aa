-- As in 0104, with the write that finds no row before the lock. On a cluster it keeps the stock from moving to another
-- node, which would not know the lock (server/src/database/lock.ts).
create or replace function order_refusal(
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
    update stock set company_id = company_id
      where company_id = p_company and kind = 'coupon' and item_id = p_coupon_id and company_id <> company_id;
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
