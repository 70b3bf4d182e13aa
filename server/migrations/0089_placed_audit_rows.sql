-- Every audit row has a place (0088). The check is valid, so the table is not read again.
alter table audit alter column place set not null;
alter table audit drop constraint audit_placed;

create or replace function write_audit(
  p_company uuid, p_member uuid, p_staff uuid, p_store text, p_action text, p_request text, p_details jsonb
) returns void language plpgsql as $$
declare
  v_id uuid := uuidv7();
begin
  insert into audit (company_id, place, audit_id, staff_id, store_code, action, member_id, request_id, details)
    values (p_company, coalesce(p_member, v_id), v_id, p_staff, p_store, p_action, p_member, p_request,
      p_details);
end $$;
