-- The day on which the books count an entry: the company's day of the entry's own time. It is stored,
-- so that a company that changes its time zone does not move its past figures to other days. Null: an
-- older program added the entry. Its day follows from its time, in the time zone that the company has
-- now. No entry is updated, because that would lock the table, and sales would wait.
alter table point_entry add column booked_on date;
alter table company add column unbooked_time_zone text;

-- Row-level security is forced for the owner too, so each company is chosen in turn.
do $$
declare
  one record;
begin
  for one in select company_id from company_address loop
    perform set_config('app.company_id', one.company_id::text, true);
    update company set unbooked_time_zone = time_zone where company_id = one.company_id;
  end loop;
  perform set_config('app.company_id', '', true);
end $$;

-- The only place that chooses the day.
create function booking_day(wanted uuid, at timestamptz) returns date language sql stable
  return (select (at at time zone time_zone)::date from company where company_id = wanted);

-- Points that a return should have taken and the member no longer had, under the policy `clamp`. They
-- are not entries: no balance has changed.
create table point_forgiven (
  company_id uuid not null,
  member_id uuid not null,
  forgiven_id uuid not null,
  points bigint not null check (points > 0),
  -- The return.
  transaction_id uuid,
  store_code text,
  created_at timestamptz not null,
  booked_on date not null,
  primary key (company_id, member_id, forgiven_id),
  foreign key (company_id, member_id) references point_account
);
call protect('point_forgiven', 'select, insert');

-- A key may read the books.
alter table api_key drop constraint api_key_scopes_check;
alter table api_key add constraint api_key_scopes_check check (
  cardinality(scopes) > 0 and scopes <@ array[
    'transactions:write', 'members:write', 'members:read', 'points:write', 'reports:read']);
