-- The parts that every function for a change in one round trip has (docs/decisions/0115), and a
-- redemption that is made of them. They inherit the plans of their caller.

-- Raises TS003 where a webhook subscribes to an event: the long way writes the event.
create function require_no_subscriber(p_company uuid, p_event text) returns void language plpgsql as $$
begin
  if exists (select from webhook where company_id = p_company and not stopped and p_event = any (events)) then
    raise exception 'events' using errcode = 'TS003';
  end if;
end $$;

-- Claims a key. The key of an earlier request fails here. Call it before the first lock of the request, so that
-- a question about the key finds a running request. A function that already knows its answer stores it
-- here, which saves the second write of the row.
create function claim_key(
  p_company uuid, p_staff uuid, p_key uuid, p_endpoint text, p_hash bytea, p_answer jsonb default null
) returns void language plpgsql as $$
begin
  insert into operation (company_id, staff_id, key, endpoint, body_hash, answer)
    values (p_company, p_staff, p_key, p_endpoint, p_hash, p_answer);
end $$;

-- Stores the answer of a key that was claimed without one.
create function store_answer(p_company uuid, p_staff uuid, p_key uuid, p_answer jsonb) returns void
language plpgsql as $$
begin
  update operation set answer = p_answer
    where company_id = p_company and staff_id = p_staff and key = p_key;
end $$;

-- Writes the audit row of a change.
create function write_audit(
  p_company uuid, p_member uuid, p_staff uuid, p_store text, p_action text, p_request text, p_details jsonb
) returns void language plpgsql as $$
begin
  insert into audit (company_id, staff_id, store_code, action, member_id, request_id, details)
    values (p_company, p_staff, p_store, p_action, p_member, p_request, p_details);
end $$;

-- Counts value that a clerk gives away. Raises TS002 beyond the limit, and where the company is alerted: the
-- long way refuses, or sends the alert. No limit: counts nothing.
create function take_unnoticed(
  p_company uuid, p_staff uuid, p_kind text, p_day date, p_amount bigint, p_limit bigint, p_warn_at bigint
) returns void language plpgsql as $$
begin
  if p_limit is not null
    and coalesce(take_allowance(p_company, p_staff, p_kind, p_day, p_amount, p_limit) >= p_warn_at, true)
  then
    raise exception 'allowance' using errcode = 'TS002';
  end if;
end $$;

-- The code of a coupon, wherever it is shown.
create function shown_code(p_printed text, p_stored text) returns text language sql immutable parallel safe
  return coalesce(p_printed, p_stored);
-- 15 percent is written as "15", money with its two decimals.
create function shown_value(p_kind text, p_value numeric) returns text language sql immutable parallel safe
  return case p_kind when 'percent' then trim_scale(p_value) else p_value end::text;

-- The answer about a coupon: the program's template (coupon/at-once/template.ts) with the facts that only
-- the database knows. A text that is missing leaves a hole in the JSON, which then cannot be parsed: the
-- long way reports it.
create function coupon_answer(
  p_template text, p_languages text[], c coupon, d coupon_definition, p_redeemed_at timestamptz
) returns text language sql stable parallel safe return
  format(p_template,
    to_json(shown_code(c.printed_code, c.coupon_code)),
    to_json(c.coupon_id),
    coalesce(d.names -> p_languages[1], d.names -> p_languages[2]),
    coalesce(to_json(d.union_code)::text, 'null'),
    case when d.descriptions is null then 'null'
      else coalesce(d.descriptions -> p_languages[1], d.descriptions -> p_languages[2])::text end,
    to_json(d.kind),
    coalesce(to_json(shown_value(d.kind, d.value))::text, 'null'),
    to_json(c.issue_date), to_json(c.start_date), to_json(c.expiry_date),
    to_json(to_char(p_redeemed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')));

-- Redeems coupons of a member and claims the key with the complete answer. The facts of a coupon that the
-- answer needs never change, so they are read before the key is claimed and before a coupon is locked. The time of
-- a redemption is that of its transaction.
create function redeem_answered(
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
  select count(*), string_agg(coupon_answer(p_template, p_languages, c, d, now()), ',' order by n)
    into v_count, v_coupons
    from unnest(p_codes) with ordinality as asked (code, n)
      join coupon c on c.company_id = p_company and c.coupon_code = asked.code
      join coupon_definition d on d.company_id = p_company and d.coupon_id = c.coupon_id;
  if v_count < cardinality(p_codes) then
    raise exception 'unknown' using errcode = 'TS002';
  end if;
  v_answer := format(p_envelope, v_coupons);
  perform claim_key(p_company, p_staff, p_key, p_endpoint, p_hash, v_answer);
  select count(*) into v_count
    from redeem_coupons(p_company, p_member, p_codes, p_today, p_store, p_staff, p_invoice);
  if v_count < cardinality(p_codes) then
    raise exception 'not redeemable' using errcode = 'TS002';
  end if;
  perform take_unnoticed(p_company, p_staff, 'couponsRedeemed', p_today, v_count, p_limit, p_warn_at);
  perform write_audit(p_company, p_member, p_staff, p_store, 'coupon.redeem', p_request,
    jsonb_build_object('couponCode', code, 'invoice', p_invoice)) from unnest(p_codes) code;
  return v_answer;
end $$;
