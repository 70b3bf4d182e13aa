-- The links of an account, which end with a new password, a new link, or when the account is disabled.
create index on access_link (company_id, staff_id);
