-- Reasons and notes that people typed about a member are erased with the member. Entries and audit rows
-- are append-only for the program, so it may remove their words only through these two functions.

create function erase_point_words(company uuid, member uuid) returns void
  language sql security definer set search_path = public, pg_temp
as $$
  update point_entry set description = null
  where company_id = company and company = current_company() and member_id = member
    and description is not null
$$;

create function erase_audit_words(company uuid, member uuid) returns void
  language sql security definer set search_path = public, pg_temp
as $$
  update audit set reason = null, details = details - 'reason'
  where company_id = company and company = current_company() and member_id = member
    and (reason is not null or details ? 'reason')
$$;

revoke execute on function erase_point_words(uuid, uuid) from public;
revoke execute on function erase_audit_words(uuid, uuid) from public;
grant execute on function erase_point_words(uuid, uuid) to tillside_app;
grant execute on function erase_audit_words(uuid, uuid) to tillside_app;
