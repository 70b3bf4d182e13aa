-- The place of an audit row: its member, or the row itself where it has no member. On several nodes it
-- chooses the node of the row (docs/decisions/0133). A merge changes no audit row.
alter table audit add column place uuid,
  add constraint audit_placed check (place is not null) not valid;

-- The release before this one writes rows without the column. A cluster has no triggers on placed tables.
create function place_audit_row() returns trigger language plpgsql as $$
begin
  new.place := coalesce(new.member_id, new.audit_id);
  return new;
end $$;
do $$
begin
  if not exists (select from pg_extension where extname = 'citus') then
    create trigger fill_place before insert or update on audit
      for each row when (new.place is null) execute function place_audit_row();
  end if;
end $$;

-- Fills the rows from before, as `fill_places_of_receipts` does (0083).
create procedure fill_places_of_audit_rows() language plpgsql as $$
declare
  v_company uuid;
  v_blocks bigint := pg_relation_size('audit') / current_setting('block_size')::int;
  v_from bigint := 0;
begin
  while v_from < v_blocks loop
    for v_company in select company_id from company_address loop
      perform set_config('app.company_id', v_company::text, true);
      execute format(
        'update audit set place = coalesce(member_id, audit_id)
           where place is null and ctid >= %L::tid and ctid < %L::tid',
        format('(%s,0)', v_from), format('(%s,0)', v_from + 256));
      commit;
    end loop;
    v_from := v_from + 256;
  end loop;
  alter table audit validate constraint audit_placed;
end $$;
