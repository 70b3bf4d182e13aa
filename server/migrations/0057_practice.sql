-- Practice companies: clerks learn the portal with fictitious members. They are ordinary companies with
-- an identifier of their own, and a job makes their data again every night.

alter table company add column practice boolean not null default false
  check (not practice or identifier like '%-practice');

-- The nightly job deletes what a practice company has, so a real company must never become one.
create function keep_practice() returns trigger language plpgsql as $$
begin
  raise exception 'a real company cannot become a practice company, nor the other way round';
end $$;
create trigger keep_practice before update of practice on company
  for each row when (old.practice is distinct from new.practice)
  execute function keep_practice();

-- Whether events and messages may leave a company: not a practice company.
create function may_send(wanted uuid) returns boolean language sql stable as $$
  select not practice from company where company_id = wanted
$$;

alter table job drop constraint job_name_check, add constraint job_name_check
  check (name in ('practice', 'expiry', 'tiers', 'retention', 'invariants'));

-- Deletes the members of a practice company and everything that happened to them. The program's role may
-- not delete most of these rows, so only the owner can call this; row-level security holds for the owner
-- too. Stores, staff, sessions, keys, the definition and its history stay, and so do the audit
-- rows of commands.
create procedure empty_practice(wanted uuid) language plpgsql as $$
declare
  t text;
begin
  perform from company where company_id = wanted and practice for update;
  if not found then
    raise exception 'only a practice company can be emptied';
  end if;
  -- Rows before the rows that they refer to.
  foreach t in array array['message', 'contact_code', 'contact_proof', 'code_allowance', 'given_today',
    'operation', 'outbox', 'outbox_member', 'import_row', 'import_invoice', 'member_merge_row',
    'member_merge', 'point_operation', 'member_origin', 'point_promotion', 'point_return',
    'point_forgiven', 'gift_redemption', 'sale_redemption', 'paid_sale', 'coupon_redemption', 'coupon',
    'transaction_coupon', 'transaction_item', 'transaction_return', 'qualifying_spend', 'transaction',
    'point_month_figures', 'point_month', 'point_report', 'point_burn', 'point_lot', 'point_entry',
    'point_account', 'tier_promotion', 'member_tier', 'consent', 'member_key', 'member']
  loop
    execute format('delete from %I where company_id = $1', t) using wanted;
  end loop;
  delete from audit where company_id = wanted and (staff_id is not null or member_id is not null);
  update coupon_definition set issued = 0 where company_id = wanted and issued > 0;
  update gift set issued = 0 where company_id = wanted and issued > 0;
end $$;
