-- The ledger. Entries are only ever added; whoever moves a member's points locks the account row first.

create table point_account (
  company_id uuid not null,
  member_id uuid not null,
  balance bigint not null default 0,
  -- What came in and what went out or ended, so that balance = earned - used.
  earned bigint not null default 0 check (earned >= 0),
  used bigint not null default 0 check (used >= 0),
  -- How many entries there are; the newest entry's seq.
  entries int not null default 0,
  primary key (company_id, member_id),
  foreign key (company_id, member_id) references member,
  check (balance = earned - used)
);
call protect('point_account', 'select, insert, update');

create table point_entry (
  company_id uuid not null,
  member_id uuid not null,
  entry_id uuid not null,
  seq int not null check (seq >= 1),
  type int not null check (type between 100000000 and 100000015),
  points bigint not null check (points <> 0),
  balance_after bigint not null,
  invoice_number text,
  amount numeric(15, 2),
  earn_date date,
  expiry_date date,
  created_at timestamptz not null default now(),
  store_code text,
  staff_id uuid,
  transaction_id uuid,
  -- The entry that this one takes back.
  reverses uuid,
  description text,
  primary key (company_id, member_id, entry_id),
  unique (company_id, member_id, seq),
  foreign key (company_id, member_id) references point_account,
  foreign key (company_id, member_id, reverses) references point_entry
);
create index on point_entry (company_id, member_id, transaction_id);
call protect('point_entry', 'select, insert');

-- What one earning left to spend; its id is the entry's that earned it.
create table point_lot (
  company_id uuid not null,
  member_id uuid not null,
  lot_id uuid not null,
  points bigint not null check (points > 0),
  remaining bigint not null check (remaining between 0 and points),
  earned_at timestamptz not null,
  -- The first day on which it can be spent.
  active_from date not null,
  -- The last day on which it can be spent; null never ends.
  expires_on date,
  primary key (company_id, member_id, lot_id),
  foreign key (company_id, member_id, lot_id) references point_entry
);
create index on point_lot (company_id, member_id, expires_on, earned_at, lot_id) where remaining > 0;
call protect('point_lot', 'select, insert, update');

-- Which lots a debit took from, and how much of each.
create table point_burn (
  company_id uuid not null,
  member_id uuid not null,
  entry_id uuid not null,
  lot_id uuid not null,
  points bigint not null check (points > 0),
  primary key (company_id, member_id, entry_id, lot_id),
  foreign key (company_id, member_id, entry_id) references point_entry,
  foreign key (company_id, member_id, lot_id) references point_lot
);
call protect('point_burn', 'select, insert');

create table gift (
  company_id uuid not null references company,
  gift_id text not null,
  names jsonb not null,
  descriptions jsonb,
  points int not null check (points > 0),
  stock int check (stock >= 0),
  issued int not null default 0,
  per_member_limit int check (per_member_limit > 0),
  stopped boolean not null default false,
  primary key (company_id, gift_id),
  check (stock is null or issued <= stock)
);
call protect('gift', 'select, insert, update');
