-- The value that a clerk has given away on one day of the company: one row for each clerk and kind,
-- which a new day starts again at zero. The row's lock makes the count exact on any number of server
-- processes.
create table given_today (
  company_id uuid not null,
  staff_id uuid not null,
  kind text not null,
  day date not null,
  used bigint not null check (used > 0),
  primary key (company_id, staff_id, kind)
);
call protect('given_today', 'select, insert, update');

-- An alert about a clerk is an event about the member at whom the limit was reached.
alter table outbox drop constraint outbox_event_check;
alter table outbox add constraint outbox_event_check check (event in
  ('member.created', 'points.changed', 'coupon.redeemed', 'tier.changed', 'staff.alert'));
