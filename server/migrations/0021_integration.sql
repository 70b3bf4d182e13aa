-- Tills and web shops: the keys that they come with, what they asked by name, what they are told.

create table api_key (
  company_id uuid not null references company,
  key_id uuid not null,
  name text not null,
  -- SHA-256 of the key; the key itself is shown once and kept nowhere.
  key_hash bytea not null,
  scopes text[] not null check (cardinality(scopes) > 0 and scopes <@ array[
    'transactions:write', 'members:write', 'members:read', 'points:write']),
  -- The stores that it may speak for; null: every store.
  store_codes text[] check (cardinality(store_codes) > 0),
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  primary key (company_id, key_id),
  unique (company_id, key_hash)
);
call protect('api_key', 'select, insert, update');

-- A movement of points by its caller's name: the row is there exactly when the entry is, and a
-- concurrent repeat waits on its key.
create table point_operation (
  company_id uuid not null,
  operation_id text not null,
  member_id uuid not null,
  content_hash bytea not null,
  entry_id uuid,
  primary key (company_id, operation_id),
  foreign key (company_id, member_id, entry_id) references point_entry
);
call protect('point_operation', 'select, insert, update');

-- What a member was made from, so that a repeat can be told from a change whatever became of the
-- member since.
create table member_origin (
  company_id uuid not null,
  member_id uuid not null,
  content_hash bytea not null,
  primary key (company_id, member_id),
  foreign key (company_id, member_id) references member
);
call protect('member_origin', 'select, insert');

-- Who is told what. The secret is not in here: it stands in the server's environment, under this name.
create table webhook (
  company_id uuid not null references company,
  webhook_id text not null,
  url text not null,
  secret_variable text not null,
  events text[] not null,
  stopped boolean not null default false,
  primary key (company_id, webhook_id)
);
call protect('webhook', 'select, insert, update');

-- The newest number given to an event of a member. Its lock, held until the commit, makes the
-- numbers follow the order of the commits.
create table outbox_member (
  company_id uuid not null,
  member_id uuid not null,
  last_seq int not null,
  primary key (company_id, member_id)
);
call protect('outbox_member', 'select, insert, update');

-- What is still to be told, and for a while what was. Written with the change itself.
create table outbox (
  company_id uuid not null,
  webhook_id text not null,
  member_id uuid not null,
  seq int not null,
  event_id uuid not null,
  event text not null check
    (event in ('member.created', 'points.changed', 'coupon.redeemed', 'tier.changed')),
  data jsonb not null,
  created_at timestamptz not null default now(),
  attempts int not null default 0,
  next_at timestamptz not null default now(),
  -- Until then one process has it in hand.
  leased_until timestamptz,
  delivered_at timestamptz,
  -- What stood in the way the last time.
  problem text,
  primary key (company_id, webhook_id, member_id, seq),
  foreign key (company_id, webhook_id) references webhook,
  foreign key (company_id, member_id) references member
);
create index on outbox (company_id, next_at) where delivered_at is null;
create index on outbox (company_id, webhook_id, member_id, seq) where delivered_at is null;
create index on outbox (company_id, delivered_at) where delivered_at is not null;
call protect('outbox', 'select, insert, update, delete');
