create table coupon_definition (
  company_id uuid not null references company,
  coupon_id text not null,
  names jsonb not null,
  descriptions jsonb,
  kind text not null check (kind in ('amount', 'percent', 'gift')),
  value numeric(15, 2) check (value > 0),
  union_code text,
  -- Either fixed dates, both included, or a number of days from issue, the first one included.
  start_date date,
  end_date date,
  valid_days int check (valid_days > 0),
  -- Days between issue and the first day of validity, for "from tomorrow on".
  starts_after int not null default 0 check (starts_after >= 0),
  stock int check (stock >= 0),
  issued int not null default 0,
  per_member_limit int check (per_member_limit > 0),
  points_cost int check (points_cost > 0),
  -- Null: every store.
  issue_stores text[],
  redeem_stores text[],
  stopped boolean not null default false,
  primary key (company_id, coupon_id),
  check ((kind = 'gift') = (value is null)),
  check ((start_date is null) = (end_date is null) and (start_date is null) <> (valid_days is null)),
  check (stock is null or issued <= stock)
);
call protect('coupon_definition', 'select, insert, update');

create table coupon (
  company_id uuid not null,
  coupon_code text not null check (coupon_code ~ '^[0-9A-Z]{12}$'),
  member_id uuid not null,
  coupon_id text not null,
  issued_at timestamptz not null default now(),
  issue_date date not null,
  start_date date not null,
  expiry_date date not null check (expiry_date >= start_date),
  -- EXPIRED is never stored: it is what an unused coupon is after its last day.
  used boolean not null default false,
  voided_reason text,
  issued_by uuid,
  issued_store text,
  primary key (company_id, coupon_code),
  foreign key (company_id, member_id) references member,
  foreign key (company_id, coupon_id) references coupon_definition,
  check (not used or voided_reason is null)
);
create index on coupon (company_id, member_id, expiry_date, coupon_code);
call protect('coupon', 'select, insert, update');

create table coupon_redemption (
  company_id uuid not null,
  redemption_id uuid not null default uuidv7(),
  coupon_code text not null,
  member_id uuid not null,
  store_code text not null,
  staff_id uuid,
  invoice_number text,
  redeemed_at timestamptz not null default now(),
  cancelled_at timestamptz,
  primary key (company_id, redemption_id),
  foreign key (company_id, coupon_code) references coupon,
  foreign key (company_id, member_id) references member,
  foreign key (company_id, store_code) references store
);
-- A coupon has at most one redemption that stands.
create unique index one_live_redemption on coupon_redemption (company_id, coupon_code)
  where cancelled_at is null;
call protect('coupon_redemption', 'select, insert, update');
