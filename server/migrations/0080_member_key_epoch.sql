-- A process remembers the ids of members by their codes (server/src/member/key.ts), as long as the
-- epoch of the company is the same. So the epoch changes with a code that names another member or
-- none: by a merge, its undo, an erasure, and each reset of a practice company. A new code needs
-- nothing, because only members that were found are remembered.

create function change_epoch_of_key() returns trigger language plpgsql as $$
begin
  perform change_epoch(old.company_id);
  return null;
end $$;

-- For the release before this one, and for psql. A cluster has no triggers on placed tables; there
-- the program changes the epoch itself (server/src/company/epoch.ts).
do $$
begin
  if not exists (select from pg_extension where extname = 'citus') then
    create constraint trigger member_key_epoch after update or delete on member_key
      deferrable initially deferred for each row when (old.kind = 'code')
      execute function change_epoch_of_key();
  end if;
end $$;
