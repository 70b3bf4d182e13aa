-- Undoing a spending on a sale in one round trip of two statements, under the rules of 0067_redeem_at_once.sql. The program's
-- second statement decides whether it is possible, after the first one has locked the account.

-- The answer to an undo: the program's template with the balance after it, its time, and what the spending had: its
-- points, the money that they paid and the invoice.
create function refund_answer(
  p_template text, p_balance bigint, p_at timestamptz, p_points bigint, p_amount numeric, p_invoice text
) returns jsonb language sql stable parallel safe
  return format(p_template, p_balance,
    to_json(to_char(p_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')), p_points,
    coalesce(to_json(p_amount::text)::text, 'null'), coalesce(to_json(p_invoice)::text, 'null'))::jsonb;

-- Claims the key, then locks the account. The balance is read before the lock, so the answer is stored again if it was
-- another one.
create function begin_refund(
  p_company uuid, p_member uuid, p_debit uuid, p_type int, p_at timestamptz,
  p_staff uuid, p_key uuid, p_endpoint text, p_hash bytea, p_template text
) returns void language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  v_answer jsonb;
begin
  perform require_no_subscriber(p_company, 'points.changed');
  select refund_answer(p_template, a.balance - e.points, p_at, -e.points, e.amount, e.invoice_number)
    into v_answer
    from point_entry e
      join point_account a on a.company_id = p_company and a.member_id = p_member
    where e.company_id = p_company and e.member_id = p_member and e.entry_id = p_debit and e.type = p_type;
  if not found then
    raise exception 'another entry' using errcode = 'TS002';
  end if;
  perform claim_key(p_company, p_staff, p_key, p_endpoint, p_hash, v_answer);
  perform from point_account
    where company_id = p_company and member_id = p_member and not merged and balance >= 0 for update;
  if not found then
    raise exception 'merged or in debt' using errcode = 'TS002';
  end if;
end $$;

-- Gives the points back to their lots. Without the claim of the first statement, or where it is not possible, it
-- raises TS002. A unique index rejects a second undo.
create function refund_answered(
  p_company uuid, p_member uuid, p_debit uuid, p_entry uuid, p_type int, p_at timestamptz, p_today date,
  p_staff uuid, p_store text, p_key uuid, p_request text, p_template text, p_reason text, p_possible boolean,
  p_limit bigint, p_warn_at bigint
) returns jsonb language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  v_claimed jsonb;
  v_debit record;
  v_lots uuid[];
  v_taken bigint[];
  v_balance bigint;
  v_answer jsonb;
begin
  v_claimed := claimed_answer(p_company, p_staff, p_key);
  if v_claimed is null or p_possible is not true then
    raise exception 'not claimed, or not possible' using errcode = 'TS002';
  end if;
  select points, amount, invoice_number into v_debit from point_entry
    where company_id = p_company and member_id = p_member and entry_id = p_debit;
  select array_agg(lot_id), array_agg(-points) into v_lots, v_taken from point_burn
    where company_id = p_company and member_id = p_member and entry_id = p_debit;
  select balance_after into v_balance from append_entry(p_company, p_member, p_entry, p_type, -v_debit.points,
    v_debit.amount, null, null, v_debit.invoice_number, p_store, p_staff, null, p_debit, p_reason, p_at);
  if burn_lots(p_company, p_member, p_entry, v_lots, v_taken) is distinct from cardinality(v_lots) then
    raise exception 'without lots' using errcode = 'TS002';
  end if;
  v_answer := refund_answer(p_template, v_balance, p_at, -v_debit.points, v_debit.amount, v_debit.invoice_number);
  if v_answer <> v_claimed then
    perform store_answer(p_company, p_staff, p_key, v_answer);
  end if;
  perform take_unnoticed(p_company, p_staff, 'undone', p_today, 1, p_limit, p_warn_at);
  perform write_audit(p_company, p_member, p_staff, p_store, 'points.cancel', p_request,
    jsonb_build_object('entryId', p_entry, 'reverses', p_debit, 'points', -v_debit.points, 'reason', p_reason));
  return v_answer;
end $$;
