-- Which promotion gave an entry, and for which goods, as it stood then: what comes back later takes
-- back the part that those goods earned, whatever became of the promotion since.
create table point_promotion (
  company_id uuid not null,
  member_id uuid not null,
  entry_id uuid not null,
  promotion_id text not null,
  -- Null: the whole sale.
  sku_codes text[],
  -- What the whole sale cost; the entry's amount is what of it the promotion was for.
  sale_amount numeric(15, 2) not null check (sale_amount > 0),
  primary key (company_id, member_id, entry_id),
  foreign key (company_id, member_id, entry_id) references point_entry
);
call protect('point_promotion', 'select, insert');
