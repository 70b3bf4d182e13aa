-- The release before this one does not write the names, and neither do its merges, which insert the
-- redemptions at the other member. A cluster has no triggers on placed tables.
create function note_payer() returns trigger language plpgsql as $$
begin
  insert into paid_sale as s (company_id, kind, reference, payers)
    values (new.company_id, new.kind, new.reference, array[new.member_id])
    on conflict (company_id, kind, reference) do update set payers = s.payers || excluded.payers
      where not s.payers @> excluded.payers;
  return null;
end $$;
do $$
begin
  if not exists (select from pg_extension where extname = 'citus') then
    create trigger payer_noted after insert or update of member_id on sale_redemption
      for each row execute function note_payer();
  end if;
end $$;

-- Names the members in the rows from before, a page of sales at a time. The trigger names the members of
-- redemptions since then; the update adds to what it has written.
create procedure fill_payers_of_sales() language plpgsql as $$
declare
  v_company uuid;
  v_kind text;
  v_reference text;
begin
  for v_company in select company_id from company_address loop
    v_kind := '';
    v_reference := '';
    loop
      perform set_config('app.company_id', v_company::text, true);
      execute 'with page as (
          select kind, reference from paid_sale
          where company_id = $1 and (kind, reference) > ($2, $3) order by kind, reference limit 2000
        ), named as (
          update paid_sale s set payers = array(select distinct m from unnest(s.payers || r.members) m)
          from (
            select kind, reference, array_agg(distinct member_id) as members
            from page join sale_redemption using (kind, reference)
            where company_id = $1 group by kind, reference
          ) r
          where s.company_id = $1 and s.kind = r.kind and s.reference = r.reference
            and not s.payers @> r.members
        )
        select kind, reference from page order by kind desc, reference desc limit 1'
        into v_kind, v_reference using v_company, v_kind, v_reference;
      commit;
      exit when v_kind is null;
    end loop;
  end loop;
end $$;
