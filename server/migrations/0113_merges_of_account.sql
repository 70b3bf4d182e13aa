-- The merges into a member. On several nodes a merge is on the node of its id, so the account of the
-- survivor names the merges.
alter table point_account add column merges uuid[] not null default '{}';

-- As held_merges (0079): the merges into a member that hold, and those into the merged members.
create function merges_held(p_company uuid, p_member uuid)
returns table (merge_id uuid, merged_id uuid, survivor_id uuid, merged_at timestamptz, last_entry uuid)
language plpgsql stable as $$
#variable_conflict use_column
declare
  v_members uuid[] := array[p_member];
  v_member uuid;
  v_merges uuid[];
  v_merge uuid;
begin
  while cardinality(v_members) > 0 loop
    v_member := v_members[1];
    v_members := v_members[2:];
    select a.merges into v_merges from point_account a
      where a.company_id = p_company and a.member_id = v_member;
    foreach v_merge in array coalesce(v_merges, '{}') loop
      select g.merge_id, g.merged_id, g.survivor_id, g.merged_at, g.last_entry
        into merge_id, merged_id, survivor_id, merged_at, last_entry
        from member_merge g
        where g.company_id = p_company and g.merge_id = v_merge and g.survivor_id = v_member
          and g.undone_at is null;
      if found then
        v_members := v_members || merged_id;
        return next;
      end if;
    end loop;
  end loop;
end $$;

-- As merge_places (0079): between which entries of a member these merges are.
create function places_of_merges(p_company uuid, p_member uuid)
returns table (merged_id uuid, survivor_id uuid, seq bigint, day date) language plpgsql stable as $$
#variable_conflict use_column
declare
  v_zone text;
  v_held record;
begin
  for v_held in select * from merges_held(p_company, p_member) h order by h.merge_id loop
    if v_zone is null then
      select c.time_zone into v_zone from company c where c.company_id = p_company;
    end if;
    select e.seq into seq from point_entry e
      where e.company_id = p_company and e.member_id = p_member and e.entry_id = v_held.last_entry;
    if found then
      merged_id := v_held.merged_id;
      survivor_id := v_held.survivor_id;
      day := (v_held.merged_at at time zone v_zone)::date;
      return next;
    end if;
  end loop;
end $$;

-- As owners_before_merges (0079), the first merge first: a row that several list has the owner of the
-- first one.
create function owners_of_merged(p_company uuid, p_member uuid)
returns table (name text, owner uuid) language plpgsql stable as $$
#variable_conflict use_column
declare
  v_held record;
  v_merge uuid;
begin
  for v_held in
    select * from merges_held(p_company, p_member) h where h.last_entry is not null order by h.merge_id
  loop
    v_merge := v_held.merge_id;
    return query
      select r.name, case r.kind when 'survivorFact' then v_held.survivor_id else v_held.merged_id end
      from member_merge_row r
      where r.company_id = p_company and r.merge_id = v_merge
        and r.kind in ('entry', 'fact', 'survivorFact');
  end loop;
end $$;
