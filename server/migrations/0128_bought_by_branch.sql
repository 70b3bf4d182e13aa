-- As in 0127, which had both kinds in one statement. PostgreSQL simplified the branch of the other kind to `false`, so
-- nothing named the member there, and the plan locked that table in all parts.
create or replace function bought_by(
  p_company uuid, p_member uuid, p_entry uuid, p_kind text,
  out item text, out quantity int, out names jsonb
) returns setof record language plpgsql stable as $$
#variable_conflict use_column
begin
  if p_kind = 'gift' then
    return query
      select r.gift_id, r.quantity, g.names
        from gift_redemption r join gift g on g.company_id = p_company and g.gift_id = r.gift_id
        where r.company_id = p_company and r.member_id = p_member and r.entry_id = p_entry;
  elsif p_kind = 'coupon' then
    return query
      select c.coupon_id, count(*)::int, d.names
        from coupon c join coupon_definition d on d.company_id = p_company and d.coupon_id = c.coupon_id
        where c.company_id = p_company and c.member_id = p_member and c.entry_id = p_entry
        group by c.coupon_id, d.names;
  end if;
end $$;
