-- A month whose books are closed: no entry can be dated into it. The months are closed in order.
create table point_month (
  company_id uuid not null references company,
  -- Its first day.
  month date not null check (extract(day from month) = 1),
  closed_at timestamptz not null default now(),
  primary key (company_id, month)
);
call protect('point_month', 'select, insert');

-- The figures of a closed month, and a hash of its entries. They are stored after the month is closed,
-- so that no entry waits while they are added up.
create table point_month_figures (
  company_id uuid not null,
  month date not null,
  opening bigint not null,
  closing bigint not null,
  entries bigint not null,
  forgiven bigint not null,
  -- By the code of the type: points, and number of entries.
  types jsonb not null,
  hash bytea not null,
  -- The report on the day of the closing, with the outstanding points and the worth of a point.
  report jsonb not null,
  primary key (company_id, month),
  foreign key (company_id, month) references point_month
);
call protect('point_month_figures', 'select, insert');

-- The day on which the books count an entry: the company's day of its own time, or the first open day
-- if the month of that day is closed.
create or replace function booking_day(wanted uuid, at timestamptz) returns date language sql stable
  return (
    select greatest((at at time zone c.time_zone)::date, (
      select (max(month) + interval '1 month')::date from point_month where company_id = wanted))
    from company c where c.company_id = wanted);
