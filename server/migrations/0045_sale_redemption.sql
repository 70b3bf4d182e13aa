-- The rules of an exchange hold for a sale, not for one redemption: all points of one invoice, or of
-- one sale that is still open at the till, count together, also those of several members.

-- A redemption locks the row of its sale before it adds up what was redeemed before.
create table paid_sale (
  company_id uuid not null,
  kind text not null check (kind in ('invoice', 'openSale')),
  reference text not null,
  primary key (company_id, kind, reference)
);
call protect('paid_sale', 'select, insert, update');

-- The sales that a debit paid for. A debit that was cancelled counts no more.
create table sale_redemption (
  company_id uuid not null,
  member_id uuid not null,
  entry_id uuid not null,
  kind text not null,
  reference text not null,
  points bigint not null check (points > 0),
  primary key (company_id, member_id, entry_id, kind),
  foreign key (company_id, member_id, entry_id) references point_entry
);
create index on sale_redemption (company_id, kind, reference);
call protect('sale_redemption', 'select, insert');
