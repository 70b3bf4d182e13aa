-- The release before this one does not write the names. A cluster has no triggers on placed tables.
create function note_merge() returns trigger language plpgsql as $$
begin
  if new.undone_at is null then
    update point_account set merges = merges || new.merge_id
      where company_id = new.company_id and member_id = new.survivor_id and new.merge_id <> all (merges);
  else
    update point_account set merges = array_remove(merges, new.merge_id)
      where company_id = new.company_id and member_id = new.survivor_id and new.merge_id = any (merges);
  end if;
  return null;
end $$;
do $$
begin
  if not exists (select from pg_extension where extname = 'citus') then
    create trigger merge_noted after insert or update of undone_at on member_merge
      for each row execute function note_merge();
  end if;
end $$;

-- The merges from before. There are few.
do $$
declare
  v_company uuid;
begin
  for v_company in select company_id from company_address loop
    perform set_config('app.company_id', v_company::text, true);
    update point_account a set merges = g.merges
      from (
        select survivor_id, array_agg(merge_id order by merge_id) as merges from member_merge
        where company_id = v_company and undone_at is null group by survivor_id
      ) g
      where a.company_id = v_company and a.member_id = g.survivor_id;
  end loop;
  perform set_config('app.company_id', '', true);
end $$;
