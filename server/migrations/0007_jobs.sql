-- Work that nobody asks for: what ends by date, what is kept only so long, and looking whether all is well.

-- When each job was done for a company. A process works only while it holds the row's lock, so that
-- however many there are, one of them works at a time.
create table job (
  company_id uuid not null references company,
  name text not null check (name in ('expiry', 'tiers', 'retention', 'invariants')),
  -- The last time that nothing was left to do; null: never.
  finished_at timestamptz,
  primary key (company_id, name)
);
call protect('job', 'select, insert, update');

-- Whose lots have ended, whose tier ends: one probe for a company that has none.
create index on point_lot (company_id, expires_on) where remaining > 0 and expires_on is not null;
create index on member_tier (company_id, expiry_date) where expiry_date is not null;

-- The two that are only kept so long. Their newest rows stand at the end, so a few blocks tell.
create index on operation using brin (created_at);
grant delete on operation, session to tillside_app;
