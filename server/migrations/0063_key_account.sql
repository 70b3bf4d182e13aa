-- An API key acts through an account of its own, so that operations, audit rows, redemptions and
-- point entries name it as they name a clerk. Such an account has no password, no group and no
-- store, is disabled and cannot log in.
alter table staff alter password_hash drop not null, alter group_code drop not null,
  alter store_code drop not null;
alter table staff add constraint staff_clerk_check check (
  case when password_hash is null
    then group_code is null and store_code is null and disabled_at is not null
    else group_code is not null and store_code is not null
  end);

-- The id comes from the key's hash, so that a request names its account before the key is read: the
-- first 16 bytes as a UUID of version 8 (server/src/integration/key.ts).
alter table api_key add staff_id uuid;
update api_key set staff_id = encode(set_byte(set_byte(substring(key_hash from 1 for 16),
  6, get_byte(key_hash, 6) & 15 | 128), 8, get_byte(key_hash, 8) & 63 | 128), 'hex')::uuid;
insert into staff (company_id, staff_id, account, first_name, last_name, disabled_at)
  select company_id, staff_id, 'key ' || key_id, name, '', created_at from api_key;
alter table api_key alter staff_id set not null,
  add foreign key (company_id, staff_id) references staff;

alter table api_key drop constraint api_key_scopes_check;
alter table api_key add constraint api_key_scopes_check check (
  cardinality(scopes) > 0 and scopes <@ array[
    'transactions:write', 'transactions:read', 'members:write', 'members:read', 'points:write',
    'points:spend', 'coupons:read', 'coupons:redeem', 'coupons:issue', 'reports:read',
    'events:read']);

-- When the profile or the terms of a member last changed, for systems that copy members.
alter table member add changed_at timestamptz not null default now();
create index on member (company_id, changed_at, member_id);
