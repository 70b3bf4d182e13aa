-- A report of the books reads all entries of a company, so one is made at a time, whichever process
-- makes it. The row says since when. A lock would last as long as the report, and closing a month
-- waits for every transaction that holds one.
create table point_report (
  company_id uuid primary key,
  report_id uuid not null,
  begun_at timestamptz not null
);
call protect('point_report', 'select, insert, update, delete');
