-- Members and the one table that finds them.

create table tier (
  company_id uuid not null references company,
  tier_code text not null,
  -- 1 is the lowest.
  level int not null check (level >= 1),
  names jsonb not null,
  threshold numeric(15, 2) not null check (threshold >= 0),
  renew_threshold numeric(15, 2) not null check (renew_threshold >= 0),
  multiplier numeric(6, 3) not null default 1 check (multiplier >= 0),
  benefits jsonb not null default '{}',
  stopped boolean not null default false,
  primary key (company_id, tier_code),
  -- A stopped tier keeps its level for those who still hold it, and gives the place free.
  constraint one_tier_per_level exclude (company_id with =, level with =) where (not stopped)
    deferrable initially deferred
);
call protect('tier', 'select, insert, update');

create table member (
  company_id uuid not null references company,
  member_id uuid not null,
  member_code text not null,
  uni_customer_no text not null,
  card_number text not null,
  first_name text not null,
  last_name text not null,
  gender text check (gender in ('F', 'M')),
  birthday date,
  country_code text,
  mobile text,
  email text,
  address jsonb not null default '{}',
  registration_date date not null,
  registration_store text,
  tnc_version text,
  tnc_accepted_at timestamptz,
  marketing_opt_in boolean not null default false,
  custom_fields jsonb not null default '{}',
  version int not null default 1,
  primary key (company_id, member_id),
  foreign key (company_id, registration_store) references store,
  check ((country_code is null) = (mobile is null))
);
call protect('member', 'select, insert, update');

-- Every way to name a member is one probe of this index. Values are normalised: E.164 for mobile,
-- lower case for e-mail, upper case for codes.
create table member_key (
  company_id uuid not null,
  kind text not null check (kind in ('code', 'card', 'mobile', 'email', 'uni')),
  value text not null,
  member_id uuid not null,
  primary key (company_id, kind, value),
  foreign key (company_id, member_id) references member
);
create index on member_key (company_id, member_id);
call protect('member_key', 'select, insert, update, delete');

create table consent (
  company_id uuid not null,
  member_id uuid not null,
  consent_id uuid not null default uuidv7(),
  kind text not null check (kind in ('terms', 'marketing')),
  version text not null,
  agreed boolean not null,
  language text not null,
  at timestamptz not null default now(),
  staff_id uuid,
  store_code text,
  primary key (company_id, member_id, consent_id),
  foreign key (company_id, member_id) references member
);
call protect('consent', 'select, insert');

create table member_tier (
  company_id uuid not null,
  member_id uuid not null,
  tier_code text not null,
  start_date date not null,
  -- Null never ends.
  expiry_date date,
  primary key (company_id, member_id),
  foreign key (company_id, member_id) references member,
  foreign key (company_id, tier_code) references tier
);
call protect('member_tier', 'select, insert, update');

-- Spend that counts towards a tier, apart from the points that can be spent; returns are negative rows.
create table qualifying_spend (
  company_id uuid not null,
  member_id uuid not null,
  transaction_id uuid not null,
  spent_on date not null,
  amount numeric(15, 2) not null,
  primary key (company_id, member_id, transaction_id),
  foreign key (company_id, member_id) references member
);
create index on qualifying_spend (company_id, member_id, spent_on) include (amount);
call protect('qualifying_spend', 'select, insert');
