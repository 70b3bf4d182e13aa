-- For a merge of the release before this one. In a migration before that of the existing merges, so that
-- no merge is missed.
create function note_merged() returns trigger language plpgsql as $$
begin
  update member set merged = new.merged where company_id = new.company_id and member_id = new.member_id;
  return null;
end $$;
create trigger note_merged after update of merged on point_account
  for each row when (new.merged is distinct from old.merged) execute function note_merged();
