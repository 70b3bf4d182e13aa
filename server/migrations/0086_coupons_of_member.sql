-- Statements about coupons name the member for each table, so that on several nodes one of them answers
-- (docs/decisions/0126). The functions have the arguments and the results that they had.

-- A redemption has the member of its coupon. A coupon of another member is neither locked nor undone.
create or replace function undo_redemptions(
  p_company uuid, p_member uuid, p_codes text[], p_reason text, p_today date, p_store text, p_minutes int
) returns setof text language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  v_code text;
begin
  for v_code in select code from unnest(p_codes) code order by code loop
    perform from coupon where company_id = p_company and member_id = p_member and coupon_code = v_code
      for no key update;
    update coupon_redemption r set cancelled_at = now(), cancelled_reason = p_reason from coupon c
      where r.company_id = p_company and r.member_id = p_member and r.coupon_code = v_code
        and r.cancelled_at is null
        and c.company_id = p_company and c.member_id = p_member and c.coupon_code = v_code
        and c.expiry_date + 0 >= p_today
        and (p_store is null
          or r.store_code = p_store and r.redeemed_at > now() - make_interval(mins => p_minutes));
    if found then
      update coupon set used = false
        where company_id = p_company and member_id = p_member and coupon_code = v_code;
      return next v_code;
    end if;
  end loop;
end $$;

create or replace function undo_answered(
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
    where c.company_id = p_company and c.member_id = p_member and c.coupon_code = p_code
      and c.start_date + 0 <= p_today
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

create or replace function enqueue_events(p_company uuid, p_event text, p_changes jsonb) returns void
language plpgsql as $$
declare
  v_change record;
  v_member uuid;
  v_data jsonb;
  v_seq int;
  v_event uuid;
begin
  perform from webhook
    where company_id = p_company and not stopped and p_event = any (events) limit 1;
  if not found then
    return;
  end if;
  for v_change in
    select r.member_id, r.store, nullif(r.actor, 'null'::jsonb) as actor, r.data
    from rows from (jsonb_to_recordset(p_changes) as (member_id uuid, store text, actor jsonb, data jsonb))
      with ordinality as r (member_id, store, actor, data, n)
    order by r.member_id, r.n
  loop
    v_member := v_change.member_id;
    select jsonb_build_object('memberCode', m.member_code) || v_change.data into strict v_data
      from member m where m.company_id = p_company and m.member_id = v_member;
    if starts_with(p_event, 'coupon.') then
      select jsonb_build_object('couponId', d.coupon_id, 'unionCode', d.union_code) || v_data
        into strict v_data
        from coupon c join coupon_definition d on d.company_id = p_company and d.coupon_id = c.coupon_id
        where c.company_id = p_company and c.member_id = v_member
          and c.coupon_code = v_data ->> 'couponCode';
    end if;
    insert into outbox_member (company_id, member_id, last_seq)
      values (p_company, v_member, 1)
      on conflict (company_id, member_id) do update set last_seq = outbox_member.last_seq + 1
      returning last_seq into v_seq;
    v_event := uuidv7();
    insert into event (company_id, member_id, seq, event_id, event, store_code, actor, data)
      values (p_company, v_member, v_seq, v_event, p_event, v_change.store,
        v_change.actor, v_data);
    insert into outbox (company_id, webhook_id, member_id, seq, event_id, event, data)
      select w.company_id, w.webhook_id, v_member, v_seq, v_event, p_event, v_data
      from webhook w where w.company_id = p_company and not w.stopped and p_event = any (w.events);
  end loop;
end $$;
