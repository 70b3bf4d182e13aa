-- The release before this one does not write `look_up`. The program says in `app.sights` that it does,
-- because looking at each row would cost more than the write. A cluster has no triggers on placed tables.
create function note_sight() returns trigger language plpgsql as $$
begin
  insert into look_up (company_id, staff_id, at, seen_id)
    values (new.company_id, new.staff_id, new.at, sight_of(new.action, new.member_id, new.details))
    on conflict do nothing;
  return null;
end $$;
do $$
begin
  if not exists (select from pg_extension where extname = 'citus') then
    create trigger sight_noted after insert on audit
      for each row when (new.staff_id is not null
        and current_setting('app.sights', true) is distinct from 'noted'
        and sight_of(new.action, new.member_id, new.details) is not null)
      execute function note_sight();
  end if;
end $$;

-- The last hour, the longest that a limit looks back; a clerk at a time, by the index of the clerk's rows.
create procedure fill_look_ups() language plpgsql as $$
declare
  v_company uuid;
  v_staff uuid;
begin
  for v_company in select company_id from company_address loop
    v_staff := '00000000-0000-0000-0000-000000000000';
    loop
      perform set_config('app.company_id', v_company::text, true);
      select staff_id into v_staff from staff
        where company_id = v_company and staff_id > v_staff order by staff_id limit 1;
      exit when v_staff is null;
      execute 'insert into look_up (company_id, staff_id, at, seen_id)
          select company_id, staff_id, at, sight_of(action, member_id, details) from audit
          where company_id = $1 and staff_id = $2 and at > now() - interval ''1 hour''
            and sight_of(action, member_id, details) is not null
          on conflict do nothing' using v_company, v_staff;
      commit;
    end loop;
    commit;
  end loop;
end $$;
