-- Every audit row has a place (0088). The check is valid, so the table is not read again.
alter table audit alter column place set not null;
alter table audit drop constraint audit_placed;

create or replace function write_audit(
  p_company uuid, p_member uuid, p_staff uuid, p_store text, p_action text, p_request text, p_details jsonb
) returns void language plpgsql as $$
declare
  v_id uuid := uuidv7();
begin
  insert into audit (company_id, place, audit_id, staff_id, store_code, action, member_id, request_id, details)
    values (p_company, coalesce(p_member, v_id), v_id, p_staff, p_store, p_action, p_member, p_request,
      p_details);
end $$;

-- As in 0067. The audit rows are written by the function above.
create or replace function redeem_at_once(
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
  perform write_audit(p_company, p_member, p_staff, p_store, 'coupon.redeem', p_request,
    jsonb_build_object('couponCode', code, 'invoice', p_invoice)) from unnest(p_codes) code;
  update operation set answer = v_answer
    where company_id = p_company and staff_id = p_staff and key = p_key;
  return v_answer;
end $$;
