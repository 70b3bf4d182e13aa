-- Issuing coupons and undoing a redemption as functions, under the rules of 0067_redeem_at_once.sql.

-- The version of the facts that a coupon's answer shows. A process remembers a definition and names the version
-- that it knows; the function compares it under the lock of the row. Random, because a restore to an
-- earlier time must not lead to the same version twice. A trigger, so that the release before this one changes it too.
alter table coupon_definition add column version uuid not null default gen_random_uuid();
create function change_version() returns trigger language plpgsql as $$
begin
  new.version := gen_random_uuid();
  return new;
end $$;
-- Not `of issued`: each issue writes that column.
create trigger coupon_definition_version
  before update of names, descriptions, kind, value, union_code, redeem_stores, start_date, end_date,
    valid_days, starts_after on coupon_definition
  for each row execute function change_version();

-- The refusal of an order, in the order in which reasons are looked for; null: it can be filled. The answer
-- stays true while the caller holds the lock of the definition's row.
create function issue_refusal(
  p_company uuid, p_member uuid, p_coupon_id text, p_quantity int, p_today date, p_store text,
  p_with_points boolean
) returns text language plpgsql as $$
declare
  v_stores text[];
  v_cost int;
  v_end date;
  v_remaining int;
  v_limit int;
begin
  select issue_stores, points_cost, end_date, stock - issued, per_member_limit
    into v_stores, v_cost, v_end, v_remaining, v_limit
    from coupon_definition
    where company_id = p_company and coupon_id = p_coupon_id and not stopped and withdrawn_at is null;
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

-- Makes the coupons of an order that `issue_refusal` found open.
create function make_coupons(
  p_company uuid, p_member uuid, p_coupon_id text, p_codes text[], p_at timestamptz, p_today date,
  p_start date, p_end date, p_staff uuid, p_store text, p_entry uuid, p_points int
) returns void language plpgsql as $$
begin
  update coupon_definition set issued = issued + cardinality(p_codes)
    where company_id = p_company and coupon_id = p_coupon_id;
  insert into coupon (company_id, coupon_code, member_id, coupon_id, issued_at, issue_date,
      start_date, expiry_date, issued_by, issued_store, entry_id, points_paid)
    select p_company, code, p_member, p_coupon_id, p_at, p_today, p_start, p_end, p_staff, p_store,
      p_entry, p_points
    from unnest(p_codes) code;
end $$;

-- Issues free coupons. The program has made the codes and the complete answer.
create function issue_answered(
  p_company uuid, p_member uuid, p_at timestamptz, p_today date, p_coupon_id text, p_version uuid,
  p_codes text[], p_start date, p_end date, p_staff uuid, p_store text,
  p_key uuid, p_endpoint text, p_hash bytea, p_request text, p_answer jsonb, p_limit bigint, p_warn_at bigint
) returns jsonb language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  perform require_no_subscriber(p_company, 'coupon.issued');
  perform claim_key(p_company, p_staff, p_key, p_endpoint, p_hash, p_answer);
  perform from coupon_definition
    where company_id = p_company and coupon_id = p_coupon_id and version = p_version for no key update;
  if not found then
    raise exception 'another version' using errcode = 'TS002';
  end if;
  if issue_refusal(p_company, p_member, p_coupon_id, cardinality(p_codes), p_today, p_store, false) is not null then
    raise exception 'not issuable' using errcode = 'TS002';
  end if;
  perform make_coupons(p_company, p_member, p_coupon_id, p_codes, p_at, p_today, p_start, p_end,
    p_staff, p_store, null, null);
  perform take_unnoticed(
    p_company, p_staff, 'couponsIssued', p_today, cardinality(p_codes), p_limit, p_warn_at);
  perform write_audit(p_company, p_member, p_staff, p_store, 'coupon.issue', p_request,
    jsonb_build_object('couponId', p_coupon_id, 'quantity', cardinality(p_codes)));
  return p_answer;
end $$;

-- Undoes the redemptions of coupons that are still valid, and returns the codes of these coupons. A coupon's row
-- is taken before its redemption, and several in one order, as in a redemption.
-- Null for the store: at any store, however long ago. Otherwise only redemptions of that store, and of the last minutes.
create function undo_redemptions(
  p_company uuid, p_member uuid, p_codes text[], p_reason text, p_today date, p_store text, p_minutes int
) returns setof text language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  v_code text;
begin
  for v_code in select code from unnest(p_codes) code order by code loop
    perform from coupon where company_id = p_company and coupon_code = v_code for no key update;
    update coupon_redemption r set cancelled_at = now(), cancelled_reason = p_reason from coupon c
      where r.company_id = p_company and r.coupon_code = v_code and r.cancelled_at is null
        and c.company_id = p_company and c.coupon_code = v_code and c.member_id = p_member
        and c.expiry_date + 0 >= p_today
        and (p_store is null
          or r.store_code = p_store and r.redeemed_at > now() - make_interval(mins => p_minutes));
    if found then
      update coupon set used = false where company_id = p_company and coupon_code = v_code;
      return next v_code;
    end if;
  end loop;
end $$;

-- Undoes one redemption at its store. The program's template describes a coupon that can be redeemed here and now.
create function undo_answered(
  p_company uuid, p_member uuid, p_code text, p_reason text, p_today date, p_store text, p_minutes int,
  p_staff uuid, p_key uuid, p_endpoint text, p_hash bytea, p_request text,
  p_envelope text, p_template text, p_languages text[], p_limit bigint, p_warn_at bigint
) returns jsonb language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  v_answer jsonb;
begin
  perform require_no_subscriber(p_company, 'coupon.undone');
  select format(p_envelope, coupon_answer(p_template, p_languages, c, d, null)) into v_answer
    from coupon c join coupon_definition d on d.company_id = p_company and d.coupon_id = c.coupon_id
    where c.company_id = p_company and c.coupon_code = p_code and c.start_date + 0 <= p_today
      and (d.redeem_stores is null or p_store = any (d.redeem_stores));
  if not found then
    raise exception 'not redeemable' using errcode = 'TS002';
  end if;
  perform claim_key(p_company, p_staff, p_key, p_endpoint, p_hash, v_answer);
  if not exists (
    select from undo_redemptions(p_company, p_member, array[p_code], p_reason, p_today, p_store, p_minutes))
  then
    raise exception 'not undoable' using errcode = 'TS002';
  end if;
  perform take_unnoticed(p_company, p_staff, 'undone', p_today, 1, p_limit, p_warn_at);
  perform write_audit(p_company, p_member, p_staff, p_store, 'coupon.cancelRedeem', p_request,
    jsonb_build_object('couponCode', p_code, 'reason', p_reason));
  return v_answer;
end $$;
