-- A look-up finds a member by any key. On several nodes the key is not with the member's rows, so the function has two
-- forms: one PostgreSQL runs `find_member`, which is inlined into the statement that calls it. A cluster runs
-- `find_member_on_nodes`, which reads the key and then the member; `tillside database distribute` gives that form the
-- name `find_member` (server/src/cluster/schema.ts). The columns are those of `memberColumns` in
-- server/src/member/member.ts. To change a form, make functions with a new name: the program does not know which form
-- a database has. `member_by_key` is called by the release before this one only.
create function find_member(p_company uuid, p_kind text, p_value text) returns table (
  member_id uuid, member_code text, uni_customer_no text, card_number text, first_name text, last_name text,
  gender text, birthday date, country_code text, mobile text, email text, address jsonb,
  registration_date date, registration_store text, tnc_version text, tnc_accepted_at timestamptz,
  marketing_opt_in boolean, custom_fields jsonb, version int, tier_code text, tier_expiry date
) language sql stable rows 1 as $$
  select m.member_id, m.member_code, m.uni_customer_no, m.card_number, m.first_name, m.last_name,
    m.gender, m.birthday, m.country_code, m.mobile, m.email, m.address, m.registration_date,
    m.registration_store, m.tnc_version, m.tnc_accepted_at, m.marketing_opt_in, m.custom_fields,
    m.version, mt.tier_code, mt.expiry_date
  from member_key k
    join member m on m.company_id = p_company and m.member_id = k.member_id
    join member_tier mt on mt.company_id = p_company and mt.member_id = k.member_id
  where k.company_id = p_company and k.kind = p_kind and k.value = p_value
$$;

create function find_member_on_nodes(p_company uuid, p_kind text, p_value text) returns table (
  member_id uuid, member_code text, uni_customer_no text, card_number text, first_name text, last_name text,
  gender text, birthday date, country_code text, mobile text, email text, address jsonb,
  registration_date date, registration_store text, tnc_version text, tnc_accepted_at timestamptz,
  marketing_opt_in boolean, custom_fields jsonb, version int, tier_code text, tier_expiry date
) language plpgsql stable rows 1 as $$
#variable_conflict use_column
declare
  v_member uuid;
begin
  select member_id into v_member from member_key
    where company_id = p_company and kind = p_kind and value = p_value;
  return query
    select m.member_id, m.member_code, m.uni_customer_no, m.card_number, m.first_name, m.last_name,
      m.gender, m.birthday, m.country_code, m.mobile, m.email, m.address, m.registration_date,
      m.registration_store, m.tnc_version, m.tnc_accepted_at, m.marketing_opt_in, m.custom_fields,
      m.version, mt.tier_code, mt.expiry_date
    from member m
      join member_tier mt on mt.company_id = p_company and mt.member_id = v_member
    where m.company_id = p_company and m.member_id = v_member;
end $$;

-- A cluster that was distributed before this migration.
do $$ begin
  if to_regclass('pg_dist_partition') is not null then
    if exists (select from pg_dist_partition where logicalrelid = 'member_key'::regclass) then
      alter function find_member rename to find_member_on_one;
      alter function find_member_on_nodes rename to find_member;
    end if;
  end if;
end $$;
