-- The members that were merged before 0095.
do $$
declare
  v_company uuid;
begin
  for v_company in select company_id from company_address loop
    perform set_config('app.company_id', v_company::text, true);
    update member set merged = true where company_id = v_company and member_id in (
      select merged_id from member_merge where company_id = v_company and undone_at is null);
  end loop;
  perform set_config('app.company_id', '', true);
end $$;
