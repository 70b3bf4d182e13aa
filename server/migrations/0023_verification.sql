-- Codes that prove a contact, what they proved, and the messages that carry them.

-- The newest code of a contact, and when codes were sent there during the last day: the row's lock
-- makes both counts exact, on however many processes.
create table contact_code (
  company_id uuid not null references company,
  purpose text not null check (purpose in ('register')),
  contact text not null check (contact in ('mobile', 'email')),
  -- As member_key has it.
  value text not null,
  sends timestamptz[] not null,
  -- Argon2id; null: used, or tried too often.
  code_hash text,
  expires_at timestamptz not null,
  tries int not null default 0,
  message_id uuid,
  primary key (company_id, purpose, contact, value)
);
create index on contact_code (company_id, expires_at);
call protect('contact_code', 'select, insert, update, delete');

-- What a right code gave: used by being deleted.
create table contact_proof (
  company_id uuid not null references company,
  -- SHA-256 of the reference.
  reference_hash bytea not null,
  purpose text not null check (purpose in ('register')),
  contact text not null check (contact in ('mobile', 'email')),
  value text not null,
  expires_at timestamptz not null,
  primary key (company_id, reference_hash)
);
create index on contact_proof (company_id, expires_at);
call protect('contact_proof', 'select, insert, update, delete');

-- What is to be sent to a person by SMS or e-mail. Whom and what is there for as long as it is
-- needed: until it has arrived, was refused for good, or is worth nothing any more.
create table message (
  company_id uuid not null references company,
  message_id uuid not null,
  channel text not null check (channel in ('sms', 'email')),
  recipient text,
  -- sender, subject, text
  content jsonb,
  created_at timestamptz not null default now(),
  -- Later than this it is not sent any more.
  not_after timestamptz not null,
  attempts int not null default 0,
  next_at timestamptz not null default now(),
  -- Until then one process has it in hand.
  leased_until timestamptz,
  settled_at timestamptz,
  -- shown: in development, where nothing leaves the machine.
  outcome text check (outcome in ('delivered', 'refused', 'expired', 'shown')),
  -- What stood in the way the last time; names nobody.
  problem text,
  primary key (company_id, message_id),
  check ((settled_at is null) = (outcome is null)),
  check ((recipient is null) = (content is null)),
  check ((content is not null) = (outcome is null or outcome = 'shown'))
);
create index on message (company_id, next_at) where settled_at is null;
create index on message (company_id, not_after) where content is not null;
create index on message (company_id, settled_at) where settled_at is not null;
call protect('message', 'select, insert, update, delete');

-- Links that log in once. Only the hash of what they carry is kept.
create table access_link (
  company_id uuid not null references company,
  token_hash bytea not null,
  staff_id uuid not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null check (expires_at <= created_at + interval '10 minutes'),
  used_at timestamptz,
  primary key (company_id, token_hash),
  foreign key (company_id, staff_id) references staff
);
create index on access_link (company_id, expires_at);
call protect('access_link', 'select, insert, update, delete');

-- Uses of links are counted for an address beside its tries to log in, and not with them.
alter table login_throttle drop constraint login_throttle_kind_check;
alter table login_throttle add constraint login_throttle_kind_check
  check (kind in ('account', 'address', 'link'));
