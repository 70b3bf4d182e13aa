-- As in 0126, but the events are read by a statement of their own. A cluster sent the statement with both to the node
-- of the table, with the call of the function that writes, and a change with a webhook failed.

-- Writes an event for each of these entries of points that exists. Each names the store of its entry, if it has one.
create or replace function enqueue_entries(
  p_company uuid, p_member uuid, p_entries uuid[], p_store text, p_actor jsonb
) returns void language plpgsql as $$
declare
  v_events jsonb;
begin
  if not has_subscriber(p_company, 'points.changed') then
    return;
  end if;
  v_events := (
    select jsonb_agg(jsonb_build_object(
        'member_id', p_member, 'store', coalesce(e.store_code, p_store), 'actor', p_actor,
        'data', jsonb_build_object('entryId', e.entry_id, 'type', e.type, 'points', e.points,
          'balance', e.balance_after, 'invoiceNumber', e.invoice_number,
          'at', to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))) order by e.seq)
      from point_entry e
      where e.company_id = p_company and e.member_id = p_member and e.entry_id = any (p_entries));
  perform enqueue_events(p_company, 'points.changed', v_events);
end $$;

-- Writes the event of a receipt of the member, if it exists: its data with the points, earned minus taken back.
create or replace function enqueue_receipt(
  p_company uuid, p_member uuid, p_transaction uuid, p_data jsonb, p_store text, p_actor jsonb
) returns void language plpgsql as $$
declare
  v_events jsonb;
begin
  if not has_subscriber(p_company, 'transaction.recorded') then
    return;
  end if;
  v_events := (
    select jsonb_agg(jsonb_build_object('member_id', p_member, 'store', p_store, 'actor', p_actor,
        'data', p_data || jsonb_build_object('points', t.points_earned)))
      from transaction t
      where t.company_id = p_company and t.place = p_member and t.transaction_id = p_transaction);
  perform enqueue_events(p_company, 'transaction.recorded', v_events);
end $$;

-- Writes the events of the coupons that an entry paid for, after `void_bought` has made all of them void.
create or replace function enqueue_voided(
  p_company uuid, p_member uuid, p_entry uuid, p_store text, p_actor jsonb
) returns void language plpgsql as $$
declare
  v_events jsonb;
begin
  if not has_subscriber(p_company, 'coupon.voided') then
    return;
  end if;
  v_events := (
    select jsonb_agg(jsonb_build_object('member_id', p_member, 'store', p_store, 'actor', p_actor,
        'data', jsonb_build_object('couponCode', c.coupon_code, 'cause', 'cancel')) order by c.coupon_code)
      from coupon c
      where c.company_id = p_company and c.member_id = p_member and c.entry_id = p_entry);
  perform enqueue_events(p_company, 'coupon.voided', v_events);
end $$;
