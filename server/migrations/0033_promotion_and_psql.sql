-- Two things: promotion after a lowered threshold, and an error for a reader without a company.

-- A tier whose threshold was lowered, or that was added: the tiers job promotes the members who reach
-- it, in the order of their ids.
create table tier_promotion (
  company_id uuid not null,
  tier_code text not null,
  -- The members up to this one are done; null: none yet.
  after_member uuid,
  done boolean not null default false,
  primary key (company_id, tier_code),
  foreign key (company_id, tier_code) references tier
);
call protect('tier_promotion', 'select, insert, update');

-- Row-level security without a company hides every row. For the program that is the second wall, and
-- it stays silent. A person with psql would take the empty result for an empty database, so the tools
-- of people get an error that says what to do. The function runs only when no company is chosen, so
-- its cost is 1 and not the 100 of PL/pgSQL: the plans of the program do not change.
create function no_company() returns uuid
  language plpgsql stable parallel safe cost 1 as $$
begin
  if current_setting('application_name') !~* '^(psql|pgcli|pgadmin|dbeaver|datagrip)' then
    return null;
  end if;
  raise exception 'no company is chosen, so row-level security hides every row'
    using hint = 'First run: select use_company(''identifier''); '
      || 'The table company_address lists the identifiers.';
end $$;

create or replace function current_company() returns uuid
  language sql stable parallel safe
  return coalesce(nullif(current_setting('app.company_id', true), '')::uuid, no_company());

-- For a person with psql: shows the rows of this company until the connection ends.
create function use_company(wanted text) returns text language plpgsql as $$
declare
  found_id uuid;
begin
  select company_id into found_id from company_address where identifier = wanted;
  if found_id is null then
    raise exception 'there is no company %', wanted
      using hint = 'The table company_address lists the identifiers.';
  end if;
  perform set_config('app.company_id', found_id::text, false);
  return wanted;
end $$;
