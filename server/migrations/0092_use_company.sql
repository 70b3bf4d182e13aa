-- As before, for a person with psql: shows the rows of this company until the connection ends. On several
-- nodes only `set local` reaches the others, so it does so until the end of the transaction there.
create or replace function use_company(wanted text) returns text language plpgsql as $$
declare
  found_id uuid;
begin
  select company_id into found_id from company_address where identifier = wanted;
  if found_id is null then
    raise exception 'there is no company %', wanted
      using hint = 'The table company_address lists the identifiers.';
  end if;
  execute format('set app.company_id = %L', found_id);
  execute format('set local app.company_id = %L', found_id);
  return wanted;
end $$;
