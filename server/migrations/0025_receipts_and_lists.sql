-- Many tills at once would share-lock the same company's row, as 0020 has it of other hot tables; that
-- the company exists has been read with the key or the session that the receipt came by.
alter table transaction drop constraint transaction_company_id_fkey;

-- All coupons of a member, the newest first: a page of ten thousand is read without sorting them.
create index on coupon (company_id, member_id, issued_at, coupon_code);
