-- Which sale a return's line takes goods back from, how many, and how much of its money. Line 0 is the
-- return as a whole, where the till told no lines.
create table transaction_return (
  company_id uuid not null,
  transaction_id uuid not null,
  line_no int not null check (line_no >= 0),
  original_id uuid not null,
  quantity numeric(12, 3) not null check (quantity >= 0),
  amount numeric(15, 2) not null check (amount >= 0),
  primary key (company_id, transaction_id, line_no, original_id),
  foreign key (company_id, transaction_id) references transaction,
  foreign key (company_id, original_id) references transaction
);
create index on transaction_return (company_id, original_id);
call protect('transaction_return', 'select, insert');

-- A file on its way in: its rows as they stand, until the rows of each invoice are together. Nothing in
-- these two is the truth of anything, so they need not survive a crash.
create unlogged table import_row (
  company_id uuid not null,
  import_id uuid not null,
  invoice_number text not null,
  row_no int not null,
  -- Local time as the file tells it; null, and a problem instead, when it cannot be read.
  at timestamp,
  customer text,
  -- The row's number and its cells, as a JSON array.
  cells text not null,
  problem text,
  primary key (company_id, import_id, invoice_number, row_no)
);
call protect('import_row', 'select, insert, delete');

-- The file's invoices in the order of their time. A lane holds all invoices of its members, so lanes
-- can be worked through side by side.
create unlogged table import_invoice (
  company_id uuid not null,
  import_id uuid not null,
  lane int not null,
  position int not null,
  invoice_number text not null,
  at timestamp,
  primary key (company_id, import_id, lane, position)
);
call protect('import_invoice', 'select, insert, delete');

-- An import lets PostgreSQL count what it brings in: for a company that its statistics do not know it
-- would look through all of the company's rows instead of the one member's.
grant maintain on member, member_key, member_tier, qualifying_spend, point_account, point_entry,
  point_lot, point_burn, transaction, transaction_item, transaction_return to tillside_app;
