-- The acts of all clerks of a store on one day. Look-ups are far more than acts and are not in the
-- list, so writing them costs nothing here.
create index on audit (company_id, store_code, at)
  where action not in ('member.lookUp', 'member.lookUpRefused', 'staff.alert')
    and staff_id is not null;
