-- Every value-moving request writes one row here and one there. A foreign key would have each of them
-- share-lock the same company's or clerk's row, which many requests at once turn into a queue of its own;
-- and it would prove nothing: both ids come from the session that the same transaction has just read.
alter table operation drop constraint operation_company_id_staff_id_fkey;
alter table audit drop constraint audit_company_id_fkey;
