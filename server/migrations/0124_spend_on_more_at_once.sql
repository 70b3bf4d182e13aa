-- Spending points on a gift or on a named sale in one round trip, under the rules of 0071_spend_at_once.sql.

-- As spend_answered, also for a gift (p_gift; else null) and for a sale that p_kinds and p_references name. p_possible
-- says whether the gift has this price and the member may have so many. A gift that is out of stock and a sale for which
-- points have paid before are left to the long way. p_refund: the type of the entries that undo.
create function spend_on(
  p_company uuid, p_member uuid, p_lots uuid[], p_taken bigint[], p_points bigint, p_at timestamptz,
  p_today date, p_entry uuid, p_type int, p_amount numeric, p_staff uuid, p_store text,
  p_key uuid, p_request text, p_template text, p_details jsonb, p_possible boolean,
  p_limit bigint, p_warn_at bigint, p_points_limit bigint, p_points_warn_at bigint,
  p_gift text, p_quantity int, p_invoice text, p_kinds text[], p_references text[], p_refund int
) returns jsonb language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  v_claimed jsonb := claimed_answer(p_company, p_staff, p_key);
  v_balance bigint;
  v_answer jsonb;
begin
  if v_claimed is null or p_possible is not true then
    raise exception 'not claimed, or not spendable' using errcode = 'TS002';
  end if;
  if cardinality(p_kinds) > 0 then
    -- While the first one waits, another redemption may connect more sales.
    perform lock_sales_for(p_company, p_member, p_refund, p_kinds, p_references);
    perform lock_sales_for(p_company, p_member, p_refund, p_kinds, p_references);
    if points_paid_for(p_company, p_refund, p_kinds, p_references) <> 0 then
      raise exception 'points have paid for this sale' using errcode = 'TS002';
    end if;
  end if;
  select balance_after into v_balance from append_entry(p_company, p_member, p_entry, p_type, -p_points,
    p_amount, null, null, p_invoice, p_store, p_staff, null, null, null, p_at);
  perform burn_lots(p_company, p_member, p_entry, p_lots, p_taken);
  if p_gift is not null then
    if not take_gifts(p_company, p_gift, p_quantity) then
      raise exception 'out of stock' using errcode = 'TS002';
    end if;
    insert into gift_redemption (company_id, member_id, entry_id, gift_id, quantity)
      values (p_company, p_member, p_entry, p_gift, p_quantity);
  end if;
  if cardinality(p_kinds) > 0 then
    insert into sale_redemption (company_id, member_id, entry_id, kind, reference, points)
      values (p_company, p_member, p_entry, unnest(p_kinds), unnest(p_references), p_points);
  end if;
  v_answer := spending_answer(p_template, v_balance, p_at);
  if v_answer <> v_claimed then
    perform store_answer(p_company, p_staff, p_key, v_answer);
  end if;
  perform take_unnoticed(p_company, p_staff, 'pointRedemptions', p_today, 1, p_limit, p_warn_at);
  perform take_unnoticed(
    p_company, p_staff, 'pointsSpent', p_today, p_points, p_points_limit, p_points_warn_at);
  perform write_audit(p_company, p_member, p_staff, p_store, 'points.redeem', p_request, p_details);
  return v_answer;
end $$;
