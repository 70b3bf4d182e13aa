-- Undoing a spending on a gift or on coupons in one round trip, too, under the rules of 0078_refund_at_once.sql. The functions
-- of 0078 stay for the release before.

-- Whether a webhook subscribes to an event.
create function has_subscriber(p_company uuid, p_event text) returns boolean language plpgsql stable as $$
begin
  return exists (
    select from webhook where company_id = p_company and not stopped and p_event = any (events));
end $$;

-- As in 0069.
create or replace function require_no_subscriber(p_company uuid, p_event text) returns void language plpgsql as $$
begin
  if has_subscriber(p_company, p_event) then
    raise exception 'events' using errcode = 'TS003';
  end if;
end $$;

-- Makes the unused coupons void that an entry paid for, under the lock of their rows. Returns their codes.
create function void_bought(p_company uuid, p_member uuid, p_entry uuid, p_reason text) returns setof text
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  v_code text;
begin
  for v_code in
    select coupon_code from coupon
    where company_id = p_company and member_id = p_member and entry_id = p_entry
    order by coupon_code for no key update
  loop
    update coupon set voided_reason = p_reason
      where company_id = p_company and member_id = p_member and coupon_code = v_code
        and not used and voided_reason is null;
    if found then
      return next v_code;
    end if;
  end loop;
end $$;

-- The gift or the coupons that a spending bought, and their name in the clerk's language. p_kind: 'gift', 'coupon', or null for a sale.
-- p_one, p_other: the template of one piece, and of another number.
create function bought_for(
  p_company uuid, p_member uuid, p_entry uuid, p_kind text, p_languages text[], p_one text, p_other text,
  out item text, out quantity int, out label text
) language plpgsql stable as $$
#variable_conflict use_column
declare
  v_names jsonb;
begin
  if p_kind = 'gift' then
    select r.gift_id, r.quantity, g.names into item, quantity, v_names
      from gift_redemption r join gift g on g.company_id = p_company and g.gift_id = r.gift_id
      where r.company_id = p_company and r.member_id = p_member and r.entry_id = p_entry;
  elsif p_kind = 'coupon' then
    select c.coupon_id, count(*)::int, d.names into item, quantity, v_names
      from coupon c join coupon_definition d on d.company_id = p_company and d.coupon_id = c.coupon_id
      where c.company_id = p_company and c.member_id = p_member and c.entry_id = p_entry
      group by c.coupon_id, d.names;
  else
    return;
  end if;
  if v_names ?| p_languages is not true then
    raise exception 'nothing bought, or a text is missing' using errcode = 'TS002';
  end if;
  label := format(case quantity when 1 then p_one else p_other end,
    coalesce(v_names ->> p_languages[1], v_names ->> p_languages[2]), quantity);
end $$;

-- The answer to an undo: as refund_answer, and the name of what the points had bought.
create function undo_answer(
  p_template text, p_balance bigint, p_at timestamptz, p_points bigint, p_amount numeric, p_invoice text, p_label text
) returns jsonb language sql stable parallel safe
  return format(p_template, p_balance,
    to_json(to_char(p_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')), p_points,
    coalesce(to_json(p_amount::text)::text, 'null'), coalesce(to_json(p_invoice)::text, 'null'),
    coalesce(to_json(p_label)::text, 'null'))::jsonb;

-- The first statement: claims the key, then locks the account. p_kinds: by the type of the debit, what it bought (`bought`),
-- the type of the entry that undoes it (`type`) and the template of the answer (`template`). A type that is not there
-- raises TS002.
create function begin_undo(
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
  -- Not TS003, which would keep the undo of other spendings from being tried.
  if v_kind ->> 'bought' = 'coupon' and has_subscriber(p_company, 'coupon.voided') then
    raise exception 'events' using errcode = 'TS002';
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

-- Gives the points back to their lots, and what they bought to its stock; coupons become void. Without the claim of the
-- first statement, or where it is not possible, it raises TS002. A unique index rejects a second undo.
create function undo_spending_answered(
  p_company uuid, p_member uuid, p_debit uuid, p_entry uuid, p_kinds jsonb, p_at timestamptz, p_today date,
  p_staff uuid, p_store text, p_key uuid, p_request text, p_reason text, p_possible boolean,
  p_languages text[], p_one text, p_other text, p_limit bigint, p_warn_at bigint
) returns jsonb language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  v_claimed jsonb := claimed_answer(p_company, p_staff, p_key);
  v_debit record;
  v_kind jsonb;
  v_item text;
  v_quantity int;
  v_label text;
  v_lots uuid[];
  v_taken bigint[];
  v_balance bigint;
  v_answer jsonb;
begin
  if v_claimed is null or p_possible is not true then
    raise exception 'not claimed, or not possible' using errcode = 'TS002';
  end if;
  select type, points, amount, invoice_number into v_debit from point_entry
    where company_id = p_company and member_id = p_member and entry_id = p_debit;
  v_kind := p_kinds -> v_debit.type::text;
  select b.item, b.quantity, b.label into v_item, v_quantity, v_label
    from bought_for(p_company, p_member, p_debit, v_kind ->> 'bought', p_languages, p_one, p_other) b;
  if v_kind ->> 'bought' = 'coupon' and v_quantity is distinct from (
    select count(*) from void_bought(p_company, p_member, p_debit, p_reason))
  then
    raise exception 'used, or void' using errcode = 'TS002';
  end if;
  select array_agg(lot_id), array_agg(-points) into v_lots, v_taken from point_burn
    where company_id = p_company and member_id = p_member and entry_id = p_debit;
  select balance_after into v_balance from append_entry(p_company, p_member, p_entry, (v_kind ->> 'type')::int,
    -v_debit.points, v_debit.amount, null, null, v_debit.invoice_number, p_store, p_staff, null, p_debit, p_reason, p_at);
  if burn_lots(p_company, p_member, p_entry, v_lots, v_taken) is distinct from cardinality(v_lots) then
    raise exception 'without lots' using errcode = 'TS002';
  end if;
  if v_item is not null then
    update stock set issued = issued - v_quantity
      where company_id = p_company and kind = v_kind ->> 'bought' and item_id = v_item;
    if not found then
      raise exception 'no stock' using errcode = 'TS002';
    end if;
  end if;
  v_answer := undo_answer(v_kind ->> 'template', v_balance, p_at, -v_debit.points, v_debit.amount,
    v_debit.invoice_number, v_label);
  if v_answer <> v_claimed then
    perform store_answer(p_company, p_staff, p_key, v_answer);
  end if;
  perform take_unnoticed(p_company, p_staff, 'undone', p_today, 1, p_limit, p_warn_at);
  perform write_audit(p_company, p_member, p_staff, p_store, 'points.cancel', p_request,
    jsonb_build_object('entryId', p_entry, 'reverses', p_debit, 'points', -v_debit.points, 'reason', p_reason));
  return v_answer;
end $$;
