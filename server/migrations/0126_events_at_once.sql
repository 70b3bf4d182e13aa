-- A change in one round trip also writes its events. The program sends their statements after the call of the function, in the
-- same transaction, and says so before with `app.events_follow`. The release before does not, and is refused as before.

-- Raises TS003 where a webhook subscribes to an event that nothing writes.
create or replace function require_no_subscriber(p_company uuid, p_event text) returns void language plpgsql as $$
begin
  if current_setting('app.events_follow', true) is distinct from 'yes' and has_subscriber(p_company, p_event) then
    raise exception 'events' using errcode = 'TS003';
  end if;
end $$;

-- Raises TS002 unless this transaction has claimed the key: the function that claims it was not called, because
-- the holder has changed.
create function require_claim(p_key uuid) returns void language plpgsql as $$
begin
  if current_setting('app.claimed_key', true) is distinct from p_key::text then
    raise exception 'not claimed' using errcode = 'TS002';
  end if;
end $$;

-- Writes an event for each of these entries of points that exists. Each names the store of its entry, if it has one.
create function enqueue_entries(
  p_company uuid, p_member uuid, p_entries uuid[], p_store text, p_actor jsonb
) returns void language plpgsql as $$
begin
  if not has_subscriber(p_company, 'points.changed') then
    return;
  end if;
  perform enqueue_events(p_company, 'points.changed', (
    select jsonb_agg(jsonb_build_object(
        'member_id', p_member, 'store', coalesce(e.store_code, p_store), 'actor', p_actor,
        'data', jsonb_build_object('entryId', e.entry_id, 'type', e.type, 'points', e.points,
          'balance', e.balance_after, 'invoiceNumber', e.invoice_number,
          'at', to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))) order by e.seq)
      from point_entry e
      where e.company_id = p_company and e.member_id = p_member and e.entry_id = any (p_entries)));
end $$;

-- Writes the event of a receipt of the member, if it exists: its data with the points, earned minus taken back.
create function enqueue_receipt(
  p_company uuid, p_member uuid, p_transaction uuid, p_data jsonb, p_store text, p_actor jsonb
) returns void language plpgsql as $$
begin
  if not has_subscriber(p_company, 'transaction.recorded') then
    return;
  end if;
  perform enqueue_events(p_company, 'transaction.recorded', (
    select jsonb_agg(jsonb_build_object('member_id', p_member, 'store', p_store, 'actor', p_actor,
        'data', p_data || jsonb_build_object('points', t.points_earned)))
      from transaction t
      where t.company_id = p_company and t.place = p_member and t.transaction_id = p_transaction));
end $$;

-- Writes the events of the coupons that an entry paid for, after `void_bought` has made all of them void.
create function enqueue_voided(
  p_company uuid, p_member uuid, p_entry uuid, p_store text, p_actor jsonb
) returns void language plpgsql as $$
begin
  if not has_subscriber(p_company, 'coupon.voided') then
    return;
  end if;
  perform enqueue_events(p_company, 'coupon.voided', (
    select jsonb_agg(jsonb_build_object('member_id', p_member, 'store', p_store, 'actor', p_actor,
        'data', jsonb_build_object('couponCode', c.coupon_code, 'cause', 'cancel')) order by c.coupon_code)
      from coupon c
      where c.company_id = p_company and c.member_id = p_member and c.entry_id = p_entry));
end $$;

-- As in 0125, but the events of coupons may follow, too.
create or replace function begin_undo(
  p_company uuid, p_member uuid, p_debit uuid, p_kinds jsonb, p_at timestamptz,
  p_staff uuid, p_key uuid, p_endpoint text, p_hash bytea, p_languages text[], p_one text, p_other text
) returns void language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  v_kind jsonb;
  v_answer jsonb;
  v_debit record;
begin
  perform require_no_subscriber(p_company, 'points.changed');
  select e.type, e.points, e.amount, e.invoice_number, a.balance into v_debit
    from point_entry e
      join point_account a on a.company_id = p_company and a.member_id = p_member
    where e.company_id = p_company and e.member_id = p_member and e.entry_id = p_debit;
  v_kind := p_kinds -> v_debit.type::text;
  if v_kind is null then
    raise exception 'another entry' using errcode = 'TS002';
  end if;
  if v_kind ->> 'bought' = 'coupon' then
    perform require_no_subscriber(p_company, 'coupon.voided');
  end if;
  select undo_answer(v_kind ->> 'template', v_debit.balance - v_debit.points, p_at, -v_debit.points, v_debit.amount,
      v_debit.invoice_number, b.label)
    into v_answer
    from bought_for(p_company, p_member, p_debit, v_kind ->> 'bought', p_languages, p_one, p_other) b;
  perform claim_key(p_company, p_staff, p_key, p_endpoint, p_hash, v_answer);
  perform from point_account
    where company_id = p_company and member_id = p_member and not merged and balance >= 0 for update;
  if not found then
    raise exception 'merged or in debt' using errcode = 'TS002';
  end if;
end $$;
