-- What a return asked for, apart from what it could take: with these facts the life of every lot can be
-- replayed, so that neither the order of returns nor the times of jobs decide about a balance.
create table point_return (
  company_id uuid not null,
  member_id uuid not null,
  fact_id uuid not null,
  -- The return; null for what an undone redemption settles.
  transaction_id uuid,
  -- How many entries the account had before: the fact's place in the history.
  after_seq int not null check (after_seq >= 0),
  -- The return's day in the company's calendar.
  day date not null,
  -- award: points of a known sale; loose: points of goods whose sale is unknown; paid: points that had
  -- paid for the goods and come back; forgiven: a shortfall under the policy clamp.
  kind text not null check (kind in ('award', 'loose', 'paid', 'forgiven')),
  -- The award's lot, or the redemption.
  entry_id uuid,
  points bigint not null check (points > 0),
  -- For paid: the last day of points whose lot has expired meanwhile; null: they lapse at once.
  grace_until date,
  primary key (company_id, member_id, fact_id),
  foreign key (company_id, member_id) references point_account,
  foreign key (company_id, member_id, entry_id) references point_entry,
  check ((kind in ('award', 'paid')) = (entry_id is not null))
);
call protect('point_return', 'select, insert');

-- A redemption is cancelled once by a clerk. Returns give parts of it back, each with its own receipt.
drop index one_cancellation;
create unique index one_cancellation on point_entry (company_id, member_id, reverses)
  where type in (100000009, 100000010, 100000011) and transaction_id is null;
create index on point_entry (company_id, member_id, invoice_number) where type = 100000015;

-- A return's spend counts on the days of its sales.
alter table qualifying_spend drop constraint qualifying_spend_pkey;
alter table qualifying_spend add primary key (company_id, member_id, transaction_id, spent_on);
