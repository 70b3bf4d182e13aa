-- Sales and returns as the tills tell them. A sale without a member is kept too.

create table transaction (
  company_id uuid not null references company,
  transaction_id uuid not null,
  invoice_number text not null,
  source int not null,
  member_id uuid,
  store_code text,
  sales text,
  status text not null check (status in ('completed', 'cancelled', 'deposit')),
  invoice_type text not null check (invoice_type in ('sale', 'return', 'exchange')),
  occurred_at timestamptz not null,
  total_amount numeric(15, 2) not null,
  order_discount numeric(15, 2) not null,
  net_spend numeric(15, 2) not null,
  item_count int not null,
  points_earned bigint not null default 0,
  -- Of the content that was sent: an unchanged repeat does nothing, a changed one is refused.
  content_hash bytea not null,
  recorded_at timestamptz not null default now(),
  primary key (company_id, transaction_id),
  -- What makes a repeat the same transaction.
  unique (company_id, invoice_number, source),
  foreign key (company_id, member_id) references member,
  foreign key (company_id, store_code) references store
);
create index on transaction (company_id, member_id, occurred_at desc, transaction_id desc);
call protect('transaction', 'select, insert, update');

create table transaction_item (
  company_id uuid not null,
  transaction_id uuid not null,
  line_no int not null,
  sku_code text not null,
  sku_name text not null,
  -- Finer than money: wholesale goods are priced in fractions of a cent.
  price numeric(15, 4) not null,
  quantity numeric(12, 3) not null,
  total numeric(15, 2) not null,
  discount numeric(15, 2) not null,
  spend numeric(15, 2) not null,
  primary key (company_id, transaction_id, line_no),
  foreign key (company_id, transaction_id) references transaction
);
call protect('transaction_item', 'select, insert');

create table transaction_coupon (
  company_id uuid not null,
  transaction_id uuid not null,
  line_no int not null,
  coupon_code text not null,
  name text not null,
  value numeric(15, 2),
  quantity int not null,
  primary key (company_id, transaction_id, line_no),
  foreign key (company_id, transaction_id) references transaction
);
call protect('transaction_coupon', 'select, insert');
