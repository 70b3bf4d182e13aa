-- The second statement of a burst runs only where its first one has claimed the key. Until now it looked for the
-- key's row, which an earlier request may have left: a repeat whose first statement found no valid holder, because the session had
-- ended or the day had changed, then changed the points again. The claim is noted for the transaction now.

create or replace function claim_key(
  p_company uuid, p_staff uuid, p_key uuid, p_endpoint text, p_hash bytea, p_answer jsonb default null
) returns void language plpgsql as $$
begin
  if current_setting('app.claim_waits', true) is distinct from 'off' then
    insert into operation (company_id, staff_id, key, endpoint, body_hash, answer)
      values (p_company, p_staff, p_key, p_endpoint, p_hash, p_answer);
  else
    begin
      set local lock_timeout = '20ms';
      insert into operation (company_id, staff_id, key, endpoint, body_hash, answer)
        values (p_company, p_staff, p_key, p_endpoint, p_hash, p_answer);
      set local lock_timeout = default;
    exception when lock_not_available then
      raise exception 'running' using errcode = 'TS002';
    end;
  end if;
  perform set_config('app.claimed_key', p_key::text, true);
end $$;

-- The answer of a key that this transaction has claimed; null if it has not.
create function claimed_answer(p_company uuid, p_staff uuid, p_key uuid) returns jsonb language plpgsql as $$
begin
  if current_setting('app.claimed_key', true) is distinct from p_key::text then
    return null;
  end if;
  return (select answer from operation where company_id = p_company and staff_id = p_staff and key = p_key);
end $$;

create or replace function spend_answered(
  p_company uuid, p_member uuid, p_lots uuid[], p_taken bigint[], p_points bigint, p_at timestamptz,
  p_today date, p_entry uuid, p_type int, p_amount numeric, p_staff uuid, p_store text,
  p_key uuid, p_request text, p_template text, p_details jsonb, p_possible boolean,
  p_limit bigint, p_warn_at bigint, p_points_limit bigint, p_points_warn_at bigint
) returns jsonb language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  v_claimed jsonb;
  v_balance bigint;
  v_answer jsonb;
begin
  v_claimed := claimed_answer(p_company, p_staff, p_key);
  if v_claimed is null or p_possible is not true then
    raise exception 'not claimed, or not spendable' using errcode = 'TS002';
  end if;
  select balance_after into v_balance from append_entry(p_company, p_member, p_entry, p_type, -p_points,
    p_amount, null, null, null, p_store, p_staff, null, null, null, p_at);
  perform burn_lots(p_company, p_member, p_entry, p_lots, p_taken);
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
