-- Wrong passwords and link uses of the last quarter of an hour by network address, for all companies
-- together: company_id is the nil UUID, which no company has. The row's lock makes the count exact.
create table login_address (
  company_id uuid not null,
  kind text not null check (kind in ('password', 'link')),
  -- An IPv4 address, or the first 64 bits of an IPv6 address.
  network text not null,
  tries timestamptz[] not null,
  newest timestamptz not null,
  primary key (company_id, kind, network)
);
create index on login_address (company_id, newest);
call protect('login_address', 'select, insert, update, delete');

-- Devices that have logged in to an account; each has its own wrong passwords.
create table login_device (
  company_id uuid not null,
  staff_id uuid not null,
  -- SHA-256 of the token in the device's cookie.
  device_hash bytea not null,
  tries timestamptz[] not null,
  used_at timestamptz not null default now(),
  primary key (company_id, staff_id, device_hash),
  foreign key (company_id, staff_id) references staff
);
create index on login_device (company_id, used_at);
call protect('login_device', 'select, insert, update, delete');

-- The address of each try on an account. From here on, the kinds 'address' and 'link' are only of
-- the version before.
alter table login_throttle add column networks text[] not null default '{}';
