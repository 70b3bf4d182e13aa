-- Redemption as a function, so that it needs one round trip. Rules for functions that programs call
-- (docs/decisions/0115): the company and the member are the first arguments, and a function touches
-- only that member's rows and small tables. Programs of two releases may run at the same time, so a
-- later migration replaces a function only by one that both can call; otherwise it adds another one.
-- Plans are made once for each connection: PostgreSQL would plan some statements again for each call,
-- which takes three times as long as the statement.

-- Redeems those of a member's coupons that this store may redeem today. The conditions of the update
-- are the rule. Under READ COMMITTED a second redemption waits for the row and then sees `used`, so
-- exactly one of any number succeeds.
create function redeem_coupons(
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
    return query
      with redeemed as (
        update coupon c set used = true from coupon_definition d
        where c.company_id = p_company and c.member_id = p_member and c.coupon_code = v_code
          and d.company_id = p_company and d.coupon_id = c.coupon_id
          and not c.used and c.voided_reason is null
          -- The sum keeps the index of expiry dates out: the coupon is found by its code.
          and p_today between c.start_date and c.expiry_date + 0
          and (d.redeem_stores is null or p_store = any (d.redeem_stores))
        returning c.*
      ), redemption as (
        insert into coupon_redemption
          (company_id, coupon_code, member_id, store_code, staff_id, invoice_number)
        select p_company, coupon_code, p_member, p_store, p_staff, p_invoice from redeemed
        returning redeemed_at, store_code
      )
      select c.coupon_code, c.printed_code, c.coupon_id, c.issue_date, c.start_date, c.expiry_date,
        c.used, c.voided_reason, c.member_id, r.redeemed_at, r.store_code
      from redeemed c cross join redemption r;
  end loop;
end $$;

-- Counts value that a clerk gives away, only if the total stays within the limit. A concurrent
-- request of the same clerk waits for the row and then sees the new total. A request that began
-- before midnight counts for the new day if another request has already begun it.
-- Returns the day's total, or null if it would be beyond the limit.
create function take_allowance(
  p_company uuid, p_staff uuid, p_kind text, p_day date, p_amount bigint, p_limit bigint
) returns bigint language sql as $$
  insert into given_today as g (company_id, staff_id, kind, day, used)
  select p_company, p_staff, p_kind, p_day, p_amount where p_amount <= p_limit
  on conflict (company_id, staff_id, kind) do update
    set day = greatest(g.day, excluded.day),
      used = excluded.used + case when g.day >= excluded.day then g.used else 0 end
    where excluded.used + case when g.day >= excluded.day then g.used else 0 end <= p_limit
  returning used
$$;

-- The whole call: the claim of its key, the redemption of all coupons, the answer, the audit rows.
-- It raises TS002 in any case that it does not handle, which undoes all of it; the program then
-- takes the long way, which explains a refusal and sends alerts. It raises TS003 where a webhook
-- subscribes: the long way writes events, also of the next calls.
create function redeem_at_once(
  p_company uuid, p_member uuid, p_codes text[], p_together boolean, p_today date,
  p_store text, p_store_name text, p_staff uuid, p_invoice text,
  p_key uuid, p_endpoint text, p_hash bytea, p_request text,
  p_message text, p_languages text[], p_limit bigint, p_warn_at bigint
) returns jsonb language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  v_redeemed int;
  v_coupons jsonb;
  v_named boolean;
  v_answer jsonb;
begin
  if exists (
    select from webhook
    where company_id = p_company and not stopped and 'coupon.redeemed' = any (events))
  then
    raise exception 'events' using errcode = 'TS003';
  end if;
  -- First, so that a question about the key finds a running request. The key of an earlier request
  -- fails here.
  insert into operation (company_id, staff_id, key, endpoint, body_hash)
    values (p_company, p_staff, p_key, p_endpoint, p_hash);
  select count(*), jsonb_agg(jsonb_build_object(
      'code', coalesce(c.printed_code, c.coupon_code),
      'couponId', c.coupon_id,
      'name', coalesce(d.names ->> p_languages[1], d.names ->> p_languages[2]),
      'unionCode', d.union_code,
      'description', coalesce(d.descriptions ->> p_languages[1], d.descriptions ->> p_languages[2]),
      'kind', d.kind,
      'value', case d.kind when 'percent' then trim_scale(d.value) else d.value end::text,
      'status', 'USED',
      'issueDate', c.issue_date,
      'startDate', c.start_date,
      'expiryDate', c.expiry_date,
      'redeemDate', to_char(c.redeemed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
      'redeemStore', jsonb_build_object('code', p_store, 'name', p_store_name),
      'redeemable', false,
      'notRedeemableReason', 'couponUsed'
    ) order by array_position(p_codes, c.coupon_code)),
    bool_and(d.names ?| p_languages and (d.descriptions is null or d.descriptions ?| p_languages))
    into v_redeemed, v_coupons, v_named
    from redeem_coupons(p_company, p_member, p_codes, p_today, p_store, p_staff, p_invoice) c
      join coupon_definition d on d.company_id = p_company and d.coupon_id = c.coupon_id;
  if v_redeemed < cardinality(p_codes) then
    raise exception 'not redeemable' using errcode = 'TS002';
  end if;
  if p_limit is not null and coalesce(
    take_allowance(p_company, p_staff, 'couponsRedeemed', p_today, v_redeemed, p_limit) >= p_warn_at, true)
  then
    raise exception 'allowance' using errcode = 'TS002';
  end if;
  if not v_named then
    raise exception 'a text is missing' using errcode = 'TS002';
  end if;
  v_answer := jsonb_build_object('code', 0, 'message', p_message, 'data',
    case when p_together then jsonb_build_object('coupons', v_coupons) else v_coupons -> 0 end);
  insert into audit (company_id, staff_id, store_code, action, member_id, request_id, details)
    select p_company, p_staff, p_store, 'coupon.redeem', p_member, p_request,
      jsonb_build_object('couponCode', code, 'invoice', p_invoice)
    from unnest(p_codes) code;
  update operation set answer = v_answer
    where company_id = p_company and staff_id = p_staff and key = p_key;
  return v_answer;
end $$;
