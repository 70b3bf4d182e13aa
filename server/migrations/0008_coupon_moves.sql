-- Coupons that points paid for, redemptions that were undone and why, definitions that were stopped by
-- hand, and codes that a company brought along.

-- The debit that paid for the coupon, and this coupon's share of it.
alter table coupon
  add column entry_id uuid,
  add column points_paid int check (points_paid > 0),
  -- The code as it was printed elsewhere, where it is not the stored form itself.
  add column printed_code text,
  add check ((entry_id is null) = (points_paid is null)),
  add foreign key (company_id, member_id, entry_id) references point_entry,
  drop constraint coupon_coupon_code_check,
  add constraint coupon_coupon_code_check check (coupon_code ~ '^[0-9A-Z]{4,32}$');
create index on coupon (company_id, member_id, entry_id) where entry_id is not null;
-- A member's limit is counted whenever one of these is issued.
create index on coupon (company_id, member_id, coupon_id);

alter table coupon_redemption
  add column cancelled_reason text,
  add check ((cancelled_at is null) = (cancelled_reason is null));
-- The coupons of a sale that names them by its invoice number only.
create index on coupon_redemption (company_id, member_id, invoice_number)
  where invoice_number is not null and cancelled_at is null;

-- Beside `stopped`, which is the folder's: what was stopped by hand stays so when the folder is applied.
alter table coupon_definition add column withdrawn_at timestamptz;
