-- A redemption returns the codes of its coupons. It returned their rows, which no program reads, and built them for each call. One
-- coupon, which is nearly every call, is neither sorted nor put into a list. `redeem_coupons` remains for programs of the
-- release before, which may call it at the same time.

-- Redeems these coupons of the member, as many as may be redeemed, and returns the codes of those.
create function redeem_codes(
  p_company uuid, p_member uuid, p_codes text[], p_today date, p_store text, p_staff uuid, p_invoice text
) returns text[] language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  v_codes text[] := p_codes;
  v_code text;
  v_done text[] := '{}';
  v_ids uuid[] := '{}';
begin
  -- Batches that share coupons take them in one order, so that none waits for one that waits for it.
  if cardinality(p_codes) > 1 then
    v_codes := array(select code from unnest(p_codes) code order by code);
  end if;
  -- One by one, so that each is found by its key.
  foreach v_code in array v_codes loop
    update coupon c set used = true from coupon_definition d
      where c.company_id = p_company and c.member_id = p_member and c.coupon_code = v_code
        and d.company_id = p_company and d.coupon_id = c.coupon_id
        and not c.used and c.voided_reason is null
        -- The sum keeps the index of expiry dates out: the coupon is found by its code.
        and p_today between c.start_date and c.expiry_date + 0
        and (d.redeem_stores is null or p_store = any (d.redeem_stores));
    if found then
      v_done := v_done || v_code;
      v_ids := v_ids || uuidv7();
    end if;
  end loop;
  if cardinality(v_done) > 0 then
    insert into coupon_redemption
      (company_id, redemption_id, coupon_code, member_id, redeemed_at, store_code, staff_id, invoice_number)
      values (p_company, unnest(v_ids), unnest(v_done), p_member, now(), p_store, p_staff, p_invoice);
  end if;
  return v_done;
end $$;

create or replace function redeem_coupons(
  p_company uuid, p_member uuid, p_codes text[], p_today date, p_store text, p_staff uuid, p_invoice text
) returns table (
  coupon_code text, printed_code text, coupon_id text, issue_date date, start_date date, expiry_date date,
  used boolean, voided_reason text, member_id uuid, redeemed_at timestamptz, store_code text
) language plpgsql as $$
#variable_conflict use_column
declare
  v_code text;
begin
  foreach v_code in array redeem_codes(p_company, p_member, p_codes, p_today, p_store, p_staff, p_invoice) loop
    return query
      select c.coupon_code, c.printed_code, c.coupon_id, c.issue_date, c.start_date, c.expiry_date,
          c.used, c.voided_reason, c.member_id, now(), p_store
        from coupon c
        where c.company_id = p_company and c.member_id = p_member and c.coupon_code = v_code;
  end loop;
end $$;

create or replace function redeem_answered(
  p_company uuid, p_member uuid, p_codes text[], p_today date, p_store text, p_staff uuid, p_invoice text,
  p_key uuid, p_endpoint text, p_hash bytea, p_request text,
  p_envelope text, p_template text, p_languages text[], p_limit bigint, p_warn_at bigint
) returns jsonb language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  v_count int;
  v_coupons text;
  v_answer jsonb;
begin
  perform require_no_subscriber(p_company, 'coupon.redeemed');
  -- With `limit`, each coupon is looked for by its code. A join would read all coupons of the member.
  select count(*), string_agg(coupon_answer(p_template, p_languages, own.c, d, now()), ',' order by n)
    into v_count, v_coupons
    from unnest(p_codes) with ordinality as asked (code, n)
      cross join lateral (
        select c, c.coupon_id from coupon c
        where c.company_id = p_company and c.member_id = p_member and c.coupon_code = asked.code limit 1
      ) own
      join coupon_definition d on d.company_id = p_company and d.coupon_id = own.coupon_id;
  if v_count < cardinality(p_codes) then
    raise exception 'unknown' using errcode = 'TS002';
  end if;
  v_answer := format(p_envelope, v_coupons);
  perform claim_key(p_company, p_staff, p_key, p_endpoint, p_hash, v_answer);
  v_count := cardinality(redeem_codes(p_company, p_member, p_codes, p_today, p_store, p_staff, p_invoice));
  if v_count < cardinality(p_codes) then
    raise exception 'not redeemable' using errcode = 'TS002';
  end if;
  perform take_unnoticed(p_company, p_staff, 'couponsRedeemed', p_today, v_count, p_limit, p_warn_at);
  perform write_audits(p_company, p_member, p_staff, p_store, 'coupon.redeem', p_request,
    array(select jsonb_build_object('couponCode', code, 'invoice', p_invoice) from unnest(p_codes) code));
  return v_answer;
end $$;
