-- The person behind a change made on the command line, and the reason. A command sets both for its
-- transactions, so that every audit row that it writes has them, also those of code that does not
-- know that it runs in a command. A server's transactions set neither.
alter table audit
  add column author text default nullif(current_setting('app.author', true), ''),
  add column reason text default nullif(current_setting('app.reason', true), '');

-- Every state that a company's definition had, so that `company rollback` can restore one.
create table company_revision (
  company_id uuid not null references company,
  revision int not null,
  at timestamptz not null default now(),
  -- Null: unknown, because an older program made the revision.
  author text,
  reason text,
  -- How it was made: apply, rollback, store, permission; null: unknown.
  made_by text,
  changes text[] not null default '{}',
  -- The content of company.yaml, as JSON.
  definition jsonb not null,
  logo text not null,
  primary key (company_id, revision)
);
call protect('company_revision', 'select, insert');
