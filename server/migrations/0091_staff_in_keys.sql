-- The indexes of the migration before become the primary keys. Requests wait while a table is locked, but
-- its rows are not read.
alter table session drop constraint session_pkey;
alter table session add constraint session_pkey primary key using index session_of_staff;
alter table access_link drop constraint access_link_pkey;
alter table access_link add constraint access_link_pkey primary key using index access_link_of_staff;
