-- `burn_lots` returns the number of burns that it wrote. Since 0079 it returned the number of lots that it got, so
-- no caller could notice that nothing was written.
create or replace function burn_lots(
  p_company uuid, p_member uuid, p_entry uuid, p_lots uuid[], p_points bigint[]
) returns int language plpgsql as $$
declare
  v_burns int;
begin
  update point_lot l set remaining = l.remaining - t.points
    from unnest(p_lots, p_points) as t (lot_id, points)
    where l.company_id = p_company and l.member_id = p_member and l.lot_id = t.lot_id;
  insert into point_burn (company_id, member_id, entry_id, lot_id, points)
    values (p_company, p_member, p_entry, unnest(p_lots), unnest(p_points));
  get diagnostics v_burns = row_count;
  return v_burns;
end $$;
