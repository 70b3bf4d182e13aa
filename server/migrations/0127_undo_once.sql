-- Two rules of the undo of a spending were written both in its function and in statements of the program: what the
-- spending had bought, and how it returns to its stock. Both ways call these functions now.

-- The gifts or the coupons that a spending bought. p_kind: 'gift' or 'coupon'. No row: it bought none of this kind.
create function bought_by(
  p_company uuid, p_member uuid, p_entry uuid, p_kind text,
  out item text, out quantity int, out names jsonb
) returns setof record language sql stable as $$
  select r.gift_id, r.quantity, g.names
    from gift_redemption r join gift g on g.company_id = p_company and g.gift_id = r.gift_id
    where p_kind = 'gift' and r.company_id = p_company and r.member_id = p_member and r.entry_id = p_entry
  union all
  select c.coupon_id, count(*)::int, d.names
    from coupon c join coupon_definition d on d.company_id = p_company and d.coupon_id = c.coupon_id
    where p_kind = 'coupon' and c.company_id = p_company and c.member_id = p_member and c.entry_id = p_entry
    group by c.coupon_id, d.names
$$;

-- Counts issued items in their stock; p_quantity is below zero for returned ones. False: there is no such stock.
create function count_issued(p_company uuid, p_kind text, p_item text, p_quantity int) returns boolean
language plpgsql as $$
begin
  update stock set issued = issued + p_quantity
    where company_id = p_company and kind = p_kind and item_id = p_item;
  return found;
end $$;

-- As in 0125.
create or replace function bought_for(
  p_company uuid, p_member uuid, p_entry uuid, p_kind text, p_languages text[], p_one text, p_other text,
  out item text, out quantity int, out label text
) language plpgsql stable as $$
#variable_conflict use_column
declare
  v_names jsonb;
begin
  if p_kind is null then
    return;
  end if;
  select b.item, b.quantity, b.names into item, quantity, v_names
    from bought_by(p_company, p_member, p_entry, p_kind) b;
  if v_names ?| p_languages is not true then
    raise exception 'nothing bought, or a text is missing' using errcode = 'TS002';
  end if;
  label := format(case quantity when 1 then p_one else p_other end,
    coalesce(v_names ->> p_languages[1], v_names ->> p_languages[2]), quantity);
end $$;

-- As in 0125.
create or replace function undo_spending_answered(
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
    if not count_issued(p_company, v_kind ->> 'bought', v_item, -v_quantity) then
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
