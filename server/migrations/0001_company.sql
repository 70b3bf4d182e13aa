-- Companies, their stores and staff, and what every request leaves behind.
--
-- Row-level security is the second wall: a transaction names its company in app.company_id, and a
-- statement that forgets its WHERE sees nothing of the others. After a transaction the setting is an
-- empty string, not null, hence nullif.

create function current_company() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('app.company_id', true), '')::uuid;

-- Puts one table of a company behind the wall and grants the program what it may do there.
create procedure protect(table_name text, privileges text) language plpgsql as $$
begin
  execute format('alter table %I enable row level security', table_name);
  execute format('alter table %I force row level security', table_name);
  execute format(
    'create policy own_company on %I using (company_id = current_company())
       with check (company_id = current_company())', table_name);
  execute format('grant %s on %I to tillside_app', privileges, table_name);
end $$;

-- Which company an address names. It holds no tenant's data, and it is read before the company is known.
create table company_address (
  identifier text primary key
    check (identifier ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and identifier not in
      ('login', 'index', 'identifier-set', 'web', 'assets', 'integration', 'healthz', 'readyz', 'metrics')),
  company_id uuid not null unique
);
alter table company_address enable row level security;
alter table company_address force row level security;
create policy directory on company_address using (true) with check (company_id = current_company());
grant select, insert on company_address to tillside_app;

create table company (
  company_id uuid primary key,
  identifier text not null unique references company_address,
  time_zone text not null,
  -- Raised by every apply that changes something; a process keeps settings only for a revision it has just read.
  revision int not null default 1,
  settings jsonb not null,
  logo text not null,
  -- Of the folder that was applied last; null: applied otherwise. Lets a start skip what has not changed.
  source_checksum text
);
call protect('company', 'select, insert, update');

create table store (
  company_id uuid not null references company,
  store_code text not null,
  name text not null,
  active boolean not null default true,
  primary key (company_id, store_code)
);
call protect('store', 'select, insert, update');

create table staff_group (
  company_id uuid not null references company,
  group_code text not null,
  permissions text[] not null,
  menus text[] not null,
  -- A session remembers the version that it has seen; another one now means that it relies on an old set.
  version int not null default 1,
  primary key (company_id, group_code)
);
call protect('staff_group', 'select, insert, update');

create table staff (
  company_id uuid not null references company,
  staff_id uuid not null,
  account text not null,
  -- Accounts are told apart without case: a phone's keyboard begins them with a capital.
  account_key text not null generated always as (lower(account)) stored,
  first_name text not null,
  last_name text not null,
  group_code text not null,
  store_code text not null,
  password_hash text not null,
  language text,
  disabled_at timestamptz,
  primary key (company_id, staff_id),
  unique (company_id, account_key),
  foreign key (company_id, group_code) references staff_group,
  foreign key (company_id, store_code) references store
);
call protect('staff', 'select, insert, update');

create table session (
  company_id uuid not null,
  token_hash bytea not null,
  staff_id uuid not null,
  permission_version int not null,
  created_at timestamptz not null default now(),
  -- Null never expires.
  expires_at timestamptz,
  ended_at timestamptz,
  primary key (company_id, token_hash),
  foreign key (company_id, staff_id) references staff
);
create index on session (company_id, staff_id) where ended_at is null;
call protect('session', 'select, insert, update');

-- The wrong tries of the last quarter of an hour, one row for an account and one for a network address,
-- so that every server process counts together and the row's lock makes the count exact.
create table login_throttle (
  company_id uuid not null references company,
  kind text not null check (kind in ('account', 'address')),
  key text not null,
  tries timestamptz[] not null,
  primary key (company_id, kind, key)
);
call protect('login_throttle', 'select, insert, update, delete');

-- A value-moving request by its caller's name. The row is written in the request's own transaction:
-- it exists exactly when the request's effect does, and a concurrent repeat waits on its key.
create table operation (
  company_id uuid not null,
  staff_id uuid not null,
  key uuid not null,
  endpoint text not null,
  body_hash bytea not null,
  answer jsonb,
  created_at timestamptz not null default now(),
  primary key (company_id, staff_id, key),
  foreign key (company_id, staff_id) references staff
);
call protect('operation', 'select, insert, update');

create table audit (
  company_id uuid not null references company,
  audit_id uuid not null default uuidv7(),
  at timestamptz not null default now(),
  -- Null where the command line acted.
  staff_id uuid,
  store_code text,
  action text not null,
  member_id uuid,
  request_id text not null,
  details jsonb not null default '{}',
  primary key (company_id, audit_id)
);
create index on audit (company_id, staff_id, at);
call protect('audit', 'select, insert');
