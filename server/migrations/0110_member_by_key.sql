-- On several nodes the key of a member is not with the member's rows, so a look-up is two statements. One
-- function runs both, so that a look-up by an unknown key is one round trip (docs/decisions/0131).
-- It returns the columns of `memberColumns` in server/src/member/member.ts.
create function member_by_key(p_company uuid, p_kind text, p_value text) returns table (
  member_id uuid, member_code text, uni_customer_no text, card_number text, first_name text, last_name text,
  gender text, birthday date, country_code text, mobile text, email text, address jsonb,
  registration_date date, registration_store text, store_name text, tnc_version text,
  tnc_accepted_at timestamptz, marketing_opt_in boolean, custom_fields jsonb, version int,
  tier_code text, level int, tier_names jsonb, tier_expiry date
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
      m.registration_store, st.name, m.tnc_version, m.tnc_accepted_at, m.marketing_opt_in, m.custom_fields,
      m.version, t.tier_code, t.level, t.names, mt.expiry_date
    from member m
      join member_tier mt on mt.company_id = p_company and mt.member_id = v_member
      join tier t on t.company_id = p_company and t.tier_code = mt.tier_code
      left join store st on st.company_id = p_company and st.store_code = m.registration_store
    where m.company_id = p_company and m.member_id = v_member;
end $$;
