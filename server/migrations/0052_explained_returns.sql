-- The explanation of a tier names the returns that changed it, and that of points the receipts whose
-- shortfall was forgiven, although those returns may have no entry.
create index on audit (company_id, member_id, at) where action = 'tier.reevaluate';
alter table point_forgiven add column invoice_number text;

-- Row-level security is forced for the owner too, so each company is chosen in turn.
do $$
declare
  one record;
begin
  for one in select company_id from company_address loop
    perform set_config('app.company_id', one.company_id::text, true);
    update point_forgiven f set invoice_number = t.invoice_number from transaction t
      where f.company_id = one.company_id and t.company_id = one.company_id
        and t.transaction_id = f.transaction_id;
  end loop;
  perform set_config('app.company_id', '', true);
end $$;
