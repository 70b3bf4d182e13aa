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

-- Until 0102 nothing else writes the key of a new receipt. A trigger before the row would also write a
-- key for a repeated receipt, which is not inserted. `insert_receipt` of 0102 writes the key itself
-- and says so, because this call would cost more than the write of the key. `create trigger` waits for
-- open transactions that have written receipts, so the procedure below sees those receipts.
create function key_receipt() returns trigger language plpgsql as $$
begin
  insert into receipt_key (company_id, invoice_number, source, place, transaction_id, content_hash)
    values (new.company_id, new.invoice_number, new.source, new.place, new.transaction_id,
      new.content_hash)
    on conflict (company_id, invoice_number, source) do nothing;
  return null;
end $$;
create trigger receipt_keyed after insert on transaction
  for each row when (current_setting('app.keyed', true) is distinct from 'yes')
  execute function key_receipt();

-- A merge of the release before this one moves only the receipt. The key can be missing while old ones
-- are made.
create function move_receipt_key() returns trigger language plpgsql as $$
begin
  insert into receipt_key (company_id, invoice_number, source, place, transaction_id, content_hash)
    values (new.company_id, new.invoice_number, new.source, new.place, new.transaction_id,
      new.content_hash)
    on conflict (company_id, invoice_number, source) do update set place = excluded.place;
  return null;
end $$;
create trigger receipt_moved after update of member_id on transaction
  for each row when (new.member_id is distinct from old.member_id) execute function move_receipt_key();

-- Writes the keys of the receipts from before, as `fill_coupon_keys` does (0087).
create procedure fill_receipt_keys() language plpgsql as $$
declare
  v_company uuid;
  v_last uuid;
begin
  for v_company in select company_id from company_address loop
    v_last := '00000000-0000-0000-0000-000000000000';
    loop
      perform set_config('app.company_id', v_company::text, true);
      execute 'with page as (
          select company_id, invoice_number, source, place, transaction_id, content_hash from transaction
          where company_id = $1 and transaction_id > $2 order by transaction_id limit 5000
        ), made as (
          insert into receipt_key (company_id, invoice_number, source, place, transaction_id, content_hash)
            select company_id, invoice_number, source, place, transaction_id, content_hash from page
            on conflict (company_id, invoice_number, source) do nothing
        )
        select transaction_id from page order by transaction_id desc limit 1'
        into v_last using v_company, v_last;
      commit;
      exit when v_last is null;
    end loop;
  end loop;
end $$;
