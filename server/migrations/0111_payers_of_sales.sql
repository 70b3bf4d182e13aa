-- The members who may have paid for a sale with points. On several nodes a redemption is with its member,
-- and the row of the sale is on the node of its reference: the row names the members, so their redemptions
-- are found without asking every node. A name stays when its redemption was undone or moved by a merge.
alter table paid_sale add column payers uuid[] not null default '{}';

-- As connected_sales (0079): the sales that these references name, and those that are connected with
-- them. A redemption with two references says that both name one sale, unless it was undone. Sorted, for
-- locks. `payers`: the members who may have paid for any of them.
-- p_refund: the type of the entries that undo.
create function sales_of_one(
  p_company uuid, p_refund int, p_kinds text[], p_references text[],
  out kinds text[], out reference_names text[], out payers uuid[]
) language plpgsql stable as $$
#variable_conflict use_column
declare
  -- A kind, a space and a reference each.
  v_names text[];
  v_more text[];
  v_kind text;
  v_reference text;
  v_payers uuid[];
  v_all uuid[] := '{}';
  v_member uuid;
  v_position int := 1;
begin
  v_names := array(select distinct concat(s.kind, ' ', s.reference)
    from unnest(p_kinds, p_references) s (kind, reference));
  while v_position <= cardinality(v_names) loop
    v_kind := split_part(v_names[v_position], ' ', 1);
    v_reference := substr(v_names[v_position], length(v_kind) + 2);
    select s.payers into v_payers from paid_sale s
      where s.company_id = p_company and s.kind = v_kind and s.reference = v_reference;
    foreach v_member in array coalesce(v_payers, '{}') loop
      if v_member <> all (v_all) then
        v_all := v_all || v_member;
      end if;
      select array_agg(distinct concat(other.kind, ' ', other.reference)) into v_more
        from sale_redemption r join sale_redemption other on other.company_id = p_company
          and other.member_id = v_member and other.entry_id = r.entry_id
        where r.company_id = p_company and r.member_id = v_member and r.kind = v_kind
          and r.reference = v_reference and not exists (
            select from point_entry c where c.company_id = p_company and c.member_id = v_member
              and c.reverses = r.entry_id and c.transaction_id is null and c.type = p_refund);
      v_names := v_names || array(
        select name from unnest(v_more) name where name <> all (v_names));
    end loop;
    v_position := v_position + 1;
  end loop;
  select array_agg(s.kind order by s.kind, s.reference),
      array_agg(s.reference order by s.kind, s.reference)
    into kinds, reference_names
    from (
      select split_part(name, ' ', 1) as kind, substr(name, length(split_part(name, ' ', 1)) + 2) as reference
      from unnest(v_names) name
    ) s;
  payers := v_all;
end $$;

-- As lock_sales (0079): the row of a sale is its lock, so that a concurrent redemption of another member
-- waits, and adds up the points of this one too. It also names the member.
create function lock_sales_for(
  p_company uuid, p_member uuid, p_refund int, p_kinds text[], p_references text[]
) returns void language plpgsql as $$
declare
  v_kinds text[];
  v_references text[];
begin
  select s.kinds, s.reference_names into v_kinds, v_references
    from sales_of_one(p_company, p_refund, p_kinds, p_references) s;
  insert into paid_sale as s (company_id, kind, reference, payers)
    values (p_company, unnest(v_kinds), unnest(v_references), array[p_member])
    on conflict (company_id, kind, reference) do update
      set payers = case when s.payers @> excluded.payers then s.payers else s.payers || excluded.payers end;
end $$;

-- As paid_for_sales (0079): the points that have paid for these sales, without what was undone or came
-- back with goods.
create function points_paid_for(
  p_company uuid, p_refund int, p_kinds text[], p_references text[]
) returns bigint language plpgsql as $$
declare
  v_kinds text[];
  v_references text[];
  v_payers uuid[];
  v_member uuid;
  v_paid bigint;
  v_points bigint := 0;
begin
  select s.kinds, s.reference_names, s.payers into v_kinds, v_references, v_payers
    from sales_of_one(p_company, p_refund, p_kinds, p_references) s;
  foreach v_member in array v_payers loop
    select coalesce(sum(paid.points), 0) into v_paid from (
      select distinct r.entry_id, r.points - coalesce((
        select sum(c.points) from point_entry c where c.company_id = p_company
          and c.member_id = v_member and c.reverses = r.entry_id and c.type = p_refund
      ), 0) as points
      from unnest(v_kinds, v_references) s (kind, reference)
        join sale_redemption r on r.company_id = p_company and r.member_id = v_member
          and r.kind = s.kind and r.reference = s.reference
    ) paid;
    v_points := v_points + v_paid;
  end loop;
  return v_points;
end $$;
