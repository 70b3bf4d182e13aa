-- How many codes a clerk, and a whole company, may still have sent. One moment says it: until when
-- what was sent is paid for, at the steady rate that is allowed.
create table code_allowance (
  company_id uuid not null references company,
  -- A staff member, or the company itself.
  holder uuid not null,
  paid_until timestamptz not null,
  primary key (company_id, holder)
);
call protect('code_allowance', 'select, insert, update');
