-- A receipt by its invoice number. On several nodes a receipt is with its member, so this table, on the
-- node of the invoice number, says where it is and makes it unique in the company. It has the hash of
-- the receipt's content, so a repeated receipt is recognised without looking for its row.
create table receipt_key (
  company_id uuid not null,
  invoice_number text not null,
  source int not null,
  place uuid not null,
  transaction_id uuid not null,
  content_hash bytea not null,
  primary key (company_id, invoice_number, source)
);
call protect('receipt_key', 'select, insert');

-- The release before this one writes receipts without place and key, and merges move only the receipt.
create or replace function place_receipt() returns trigger language plpgsql as $$
begin
  new.place := coalesce(new.member_id, new.transaction_id);
  if tg_op = 'INSERT' then
    insert into receipt_key (company_id, invoice_number, source, place, transaction_id, content_hash)
      values (new.company_id, new.invoice_number, new.source, new.place, new.transaction_id,
        new.content_hash)
      on conflict (company_id, invoice_number, source) do nothing;
  else
    update receipt_key set place = new.place where company_id = new.company_id
      and invoice_number = new.invoice_number and source = new.source;
  end if;
  return new;
end $$;

-- Writes the keys of the receipts from before, as 0083 fills their places.
create procedure fill_receipt_keys() language plpgsql as $$
declare
  v_began timestamptz := clock_timestamp();
  v_company uuid;
  v_blocks bigint := pg_relation_size('transaction') / current_setting('block_size')::int;
  v_from bigint := 0;
begin
  while v_from < v_blocks loop
    for v_company in select company_id from company_address loop
      perform set_config('app.company_id', v_company::text, true);
      execute format(
        'insert into receipt_key (company_id, invoice_number, source, place, transaction_id, content_hash)
           select company_id, invoice_number, source, place, transaction_id, content_hash
           from transaction where ctid >= %L::tid and ctid < %L::tid
           on conflict (company_id, invoice_number, source) do nothing',
        format('(%s,0)', v_from), format('(%s,0)', v_from + 256));
    end loop;
    commit;
    v_from := v_from + 256;
  end loop;
  -- A merge meanwhile may have moved a receipt after it was read.
  for v_company in select company_id from company_address loop
    perform set_config('app.company_id', v_company::text, true);
    update receipt_key k set place = t.place from transaction t
      where t.company_id = v_company and t.place in (
          select unnest(array[survivor_id, merged_id]) from member_merge
          where company_id = v_company and greatest(merged_at, undone_at) > v_began - interval '1 hour')
        and k.company_id = v_company and k.invoice_number = t.invoice_number and k.source = t.source
        and k.place <> t.place;
  end loop;
end $$;
