-- A replay of points must know which entries are older than a merge: until then each member could
-- use only their own points. `last_entry` is the last entry of both before the merge; null: there was
-- none, or the merge is older than this column, and the replay takes both for one from the start.
alter table member_merge add column last_entry uuid;

-- The merges that hold, into this member and into the members that were merged into this one.
create function held_merges(wanted uuid, member uuid) returns setof member_merge
  language sql stable as $$
  with recursive held as (
    select g.* from member_merge g
    where g.company_id = wanted and g.survivor_id = member and g.undone_at is null
    union all
    select g.* from held h join member_merge g
      on g.company_id = wanted and g.survivor_id = h.merged_id and g.undone_at is null
  ) select * from held
$$;

-- For a replay: these merges with the number of the last entry before each, oldest first.
create function merge_places(wanted uuid, member uuid)
  returns table (merged_id uuid, survivor_id uuid, seq bigint, day date) language sql stable as $$
  select h.merged_id, h.survivor_id, e.seq, (h.merged_at at time zone c.time_zone)::date
  from held_merges(wanted, member) h join company c on c.company_id = wanted
  join point_entry e
    on e.company_id = wanted and e.member_id = member and e.entry_id = h.last_entry
  order by h.merge_id
$$;

-- For a replay: the member to whom entries and facts of returns belonged before the first merge
-- that has listed them.
create function owners_before_merges(wanted uuid, member uuid)
  returns table (name text, owner uuid) language sql stable as $$
  select distinct on (r.name) r.name,
    case r.kind when 'survivorFact' then h.survivor_id else h.merged_id end
  from held_merges(wanted, member) h join member_merge_row r
    on r.company_id = wanted and r.merge_id = h.merge_id
  where h.last_entry is not null and r.kind in ('entry', 'fact', 'survivorFact')
  order by r.name, h.merge_id
$$;
