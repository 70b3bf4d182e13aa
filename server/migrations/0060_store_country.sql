-- The country of a store, ISO 3166-1 alpha-2: numbers without a calling code are read as numbers of this
-- country first. Null: as numbers of the company's first calling code.
alter table store add column country text check (country ~ '^[A-Z]{2}$');
