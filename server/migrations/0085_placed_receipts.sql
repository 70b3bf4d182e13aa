-- Every row of a receipt has a place (0083). The checks are valid, so the tables are not read again.
alter table transaction alter column place set not null;
alter table transaction drop constraint transaction_placed;
alter table transaction_item alter column place set not null;
alter table transaction_item drop constraint transaction_item_placed;
alter table transaction_coupon alter column place set not null;
alter table transaction_coupon drop constraint transaction_coupon_placed;
alter table transaction_return alter column place set not null;
alter table transaction_return drop constraint transaction_return_placed;
