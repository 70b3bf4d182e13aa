-- The key under which a clerk's search history is encrypted in the browser, one for each account, so
-- that another account on the same device reads nothing of it.
create table search_history_key (
  company_id uuid not null,
  staff_id uuid not null,
  key bytea not null check (length(key) = 32),
  primary key (company_id, staff_id),
  foreign key (company_id, staff_id) references staff
);
call protect('search_history_key', 'select, insert');
