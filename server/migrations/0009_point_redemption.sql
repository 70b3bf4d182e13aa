-- Points spent at the counter: what they were spent on, and that it can be undone once.

-- The gift behind a debit. Returned stock and a member's limit count those that were not cancelled.
create table gift_redemption (
  company_id uuid not null,
  member_id uuid not null,
  entry_id uuid not null,
  gift_id text not null,
  quantity int not null check (quantity > 0),
  primary key (company_id, member_id, entry_id),
  foreign key (company_id, member_id, entry_id) references point_entry,
  foreign key (company_id, gift_id) references gift
);
create index on gift_redemption (company_id, member_id, gift_id);
call protect('gift_redemption', 'select, insert');

alter table gift add check (issued >= 0);

-- A cancelled spending gives back to the very lots that it took from: burns below zero.
alter table point_burn drop constraint point_burn_points_check, add check (points <> 0);

-- A spending is cancelled once, whoever tries: 9 points given back, 10 gift, 11 coupon.
create unique index one_cancellation on point_entry (company_id, member_id, reverses)
  where type in (100000009, 100000010, 100000011);

-- What is pending is read without reading what can be spent.
create index on point_lot (company_id, member_id, active_from) where remaining > 0;
