-- A process remembers the holder of a session (server/src/staff/held.ts). The memory of a company is
-- valid as long as the company's epoch is the same. Triggers change the epoch, so that a release that does
-- not know it changes it too. Sessions do not: the row of a session is read for each request.

-- Random: after a restore to an earlier time a counter could reach the same number a second time.
create table session_epoch (
  company_id uuid primary key references company,
  epoch uuid not null default gen_random_uuid()
);
call protect('session_epoch', 'select, insert, update');

create function change_epoch(wanted uuid) returns void language plpgsql as $$
begin
  -- One change is enough for a transaction that changes many rows.
  if current_setting('app.epoch_of', true) is not distinct from wanted::text then
    return;
  end if;
  insert into session_epoch as e (company_id) values (wanted)
    on conflict (company_id) do update set epoch = excluded.epoch;
  perform set_config('app.epoch_of', wanted::text, true);
end $$;

create function change_own_epoch() returns trigger language plpgsql as $$
begin
  perform change_epoch(new.company_id);
  return null;
end $$;

-- Deferred to the end of the transaction: the lock of the epoch's row is held for a moment only, and is
-- always the last one.
create constraint trigger company_epoch after insert or update on company
  deferrable initially deferred for each row execute function change_own_epoch();
create constraint trigger store_epoch after insert or update on store
  deferrable initially deferred for each row execute function change_own_epoch();
create constraint trigger staff_group_epoch after update on staff_group
  deferrable initially deferred for each row execute function change_own_epoch();
-- A password is no part of what is remembered: changing it ends the account's other sessions.
create constraint trigger staff_epoch
  after update of account, first_name, last_name, group_code, store_code, disabled_at on staff
  deferrable initially deferred for each row execute function change_own_epoch();
create constraint trigger api_key_epoch after update on api_key
  deferrable initially deferred for each row execute function change_own_epoch();

-- Without row-level security, which holds for the owner too.
alter table company no force row level security;
alter table session_epoch no force row level security;
insert into session_epoch (company_id) select company_id from company;
alter table company force row level security;
alter table session_epoch force row level security;
