-- The search by the beginning of a name, for the groups of a company that have its permission.

-- The folded texts by which a member is found (server/src/member/names). In the order of bytes, so that
-- a beginning is a range of the index.
create table member_name_key (
  company_id uuid not null,
  member_id uuid not null,
  key text collate "C" not null,
  primary key (company_id, member_id, key),
  foreign key (company_id, member_id) references member
);
create index on member_name_key (company_id, key, member_id);
call protect('member_name_key', 'select, insert, delete');

-- Keys of a former name are deleted together with it, whoever changes or erases the name.
create function drop_name_keys() returns trigger language plpgsql as $$
begin
  delete from member_name_key where company_id = new.company_id and member_id = new.member_id;
  return null;
end $$;
create trigger drop_name_keys after update of first_name, last_name on member
  for each row when (old.first_name <> new.first_name or old.last_name <> new.last_name)
  execute function drop_name_keys();

-- Up to which member the job has folded the names of a company.
create table member_name_walk (
  company_id uuid primary key references company,
  last_member uuid,
  finished boolean not null
);
call protect('member_name_walk', 'select, insert, update, delete');

alter table job drop constraint job_name_check, add constraint job_name_check
  check (name in ('practice', 'names', 'expiry', 'tiers', 'retention', 'invariants'));

-- The procedure of migration 57, with the tables that were added since.
create or replace procedure empty_practice(wanted uuid) language plpgsql as $$
declare
  t text;
begin
  perform from company where company_id = wanted and practice for update;
  if not found then
    raise exception 'only a practice company can be emptied';
  end if;
  -- Rows before the rows that they refer to.
  foreach t in array array['shift_note_reader', 'shift_note', 'message', 'contact_code', 'contact_proof', 'code_allowance', 'given_today',
    'operation', 'outbox', 'outbox_member', 'import_row', 'import_invoice', 'member_merge_row',
    'member_merge', 'point_operation', 'member_origin', 'point_promotion', 'point_return',
    'point_forgiven', 'gift_redemption', 'sale_redemption', 'paid_sale', 'coupon_redemption', 'coupon',
    'transaction_coupon', 'transaction_item', 'transaction_return', 'qualifying_spend', 'transaction',
    'point_month_figures', 'point_month', 'point_report', 'point_burn', 'point_lot', 'point_entry',
    'point_account', 'tier_promotion', 'member_tier', 'consent', 'member_key', 'member_name_key', 'member']
  loop
    execute format('delete from %I where company_id = $1', t) using wanted;
  end loop;
  delete from audit where company_id = wanted and (staff_id is not null or member_id is not null);
  update coupon_definition set issued = 0 where company_id = wanted and issued > 0;
  update gift set issued = 0 where company_id = wanted and issued > 0;
end $$;
