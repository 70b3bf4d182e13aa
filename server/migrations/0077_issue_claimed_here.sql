-- Issuing for points runs only where the transaction has claimed the key (migration 0076).
create or replace function issue_paid_answered(
  p_company uuid, p_member uuid, p_lots uuid[], p_taken bigint[], p_points bigint, p_at timestamptz,
  p_today date, p_entry uuid, p_type int, p_description text, p_staff uuid, p_store text,
  p_key uuid, p_request text, p_template text, p_possible boolean,
  p_coupon_id text, p_version uuid, p_codes text[], p_start date, p_end date,
  p_limit bigint, p_warn_at bigint, p_points_limit bigint, p_points_warn_at bigint
) returns jsonb language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  v_claimed jsonb;
  v_cost int;
  v_balance bigint;
  v_answer jsonb;
begin
  v_claimed := claimed_answer(p_company, p_staff, p_key);
  if v_claimed is null or p_possible is not true then
    raise exception 'not claimed, or not spendable' using errcode = 'TS002';
  end if;
  perform require_no_subscriber(p_company, 'coupon.issued');
  select points_cost into v_cost from coupon_definition
    where company_id = p_company and coupon_id = p_coupon_id and version = p_version for no key update;
  if v_cost * cardinality(p_codes) is distinct from p_points then
    raise exception 'another version or price' using errcode = 'TS002';
  end if;
  if issue_refusal(p_company, p_member, p_coupon_id, cardinality(p_codes), p_today, p_store, true) is not null then
    raise exception 'not issuable' using errcode = 'TS002';
  end if;
  select balance_after into v_balance from append_entry(p_company, p_member, p_entry, p_type, -p_points,
    null, null, null, null, p_store, p_staff, null, null, p_description, p_at);
  perform burn_lots(p_company, p_member, p_entry, p_lots, p_taken);
  perform make_coupons(p_company, p_member, p_coupon_id, p_codes, p_at, p_today, p_start, p_end,
    p_staff, p_store, p_entry, v_cost);
  v_answer := spending_answer(p_template, v_balance, p_at);
  if v_answer <> v_claimed then
    perform store_answer(p_company, p_staff, p_key, v_answer);
  end if;
  perform take_unnoticed(p_company, p_staff, 'pointRedemptions', p_today, 1, p_limit, p_warn_at);
  perform take_unnoticed(
    p_company, p_staff, 'pointsSpent', p_today, p_points, p_points_limit, p_points_warn_at);
  perform write_audit(p_company, p_member, p_staff, p_store, 'coupon.issueByPoints', p_request,
    jsonb_build_object('couponId', p_coupon_id, 'quantity', cardinality(p_codes), 'points', -p_points,
      'entryId', p_entry));
  return v_answer;
end $$;
