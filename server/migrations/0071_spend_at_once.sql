-- Spending points in one round trip, under the rules of 0067_redeem_at_once.sql. The program chooses the lots in its
-- statement (points/lots.ts), after another statement of the same burst has locked the account.

-- Adds an entry and updates the account, so that the entry's seq and balance are those of the updated row.
-- p_points: below zero for a debit.
create function append_entry(
  p_company uuid, p_member uuid, p_entry uuid, p_type int, p_points bigint, p_amount numeric,
  p_earn_date date, p_expiry_date date, p_invoice text, p_store text, p_staff uuid, p_transaction uuid,
  p_reverses uuid, p_description text, p_at timestamptz
) returns table (seq int, balance_after bigint) language plpgsql as $$
#variable_conflict use_column
begin
  return query
    with account as (
      update point_account
      set balance = balance + p_points, earned = earned + greatest(p_points, 0),
        used = used + greatest(-p_points, 0), entries = entries + 1
      where company_id = p_company and member_id = p_member returning balance, entries
    )
    insert into point_entry (company_id, member_id, entry_id, seq, type, points, balance_after,
      amount, earn_date, expiry_date, invoice_number, store_code, staff_id, transaction_id, reverses,
      description, created_at, booked_on)
    select p_company, p_member, p_entry, entries, p_type, p_points, balance, p_amount, p_earn_date,
      p_expiry_date, p_invoice, p_store, p_staff, p_transaction, p_reverses, p_description, p_at,
      booking_day(p_company, p_at)
    from account
    returning seq, balance_after;
end $$;

-- Takes points from lots, and returns the number of lots; below zero gives points back.
create function burn_lots(
  p_company uuid, p_member uuid, p_entry uuid, p_lots uuid[], p_points bigint[]
) returns int language plpgsql as $$
declare
  v_burns int;
begin
  with taken as (
    select * from unnest(p_lots, p_points) as t (lot_id, points)
  ), left_over as (
    update point_lot l set remaining = l.remaining - t.points from taken t
    where l.company_id = p_company and l.member_id = p_member and l.lot_id = t.lot_id
  )
  insert into point_burn (company_id, member_id, entry_id, lot_id, points)
  select p_company, p_member, p_entry, lot_id, points from taken;
  get diagnostics v_burns = row_count;
  return v_burns;
end $$;

-- The first statement of a spending: claims the key, then locks the account. p_template is the answer without
-- the balance and the time. The balance is read before the lock, so the answer is stored again if it was another one.
create function begin_spending(
  p_company uuid, p_member uuid, p_points bigint, p_at timestamptz,
  p_staff uuid, p_key uuid, p_endpoint text, p_hash bytea, p_template text
) returns void language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  perform require_no_subscriber(p_company, 'points.changed');
  perform claim_key(p_company, p_staff, p_key, p_endpoint, p_hash,
    spending_answer(p_template, balance - p_points, p_at))
    from point_account where company_id = p_company and member_id = p_member;
  perform from point_account where company_id = p_company and member_id = p_member and not merged for update;
  if not found then
    raise exception 'merged' using errcode = 'TS002';
  end if;
end $$;

-- The answer to a spending: the program's template with the balance after it and its time.
create function spending_answer(p_template text, p_balance bigint, p_at timestamptz) returns jsonb
  language sql stable parallel safe
  return format(p_template, p_balance,
    to_json(to_char(p_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')))::jsonb;

-- The second statement: spends points from the lots that the program's statement has chosen under the lock. Without the
-- claim of the first statement, or where it is not possible, it raises TS002.
create function spend_answered(
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
  select answer into v_claimed from operation
    where company_id = p_company and staff_id = p_staff and key = p_key;
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
