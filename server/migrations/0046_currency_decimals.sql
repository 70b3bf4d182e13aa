-- Amounts have the decimals of their company's currency: none in yen, three in dinars. A numeric
-- without a scale keeps each amount as it was written, exactly; the program writes each one with the
-- decimals of the currency (contract/src/rules/money.ts). No row is rewritten.
alter table tier alter threshold type numeric, alter renew_threshold type numeric;
alter table qualifying_spend alter amount type numeric;
alter table point_entry alter amount type numeric;
alter table point_promotion alter sale_amount type numeric;
alter table coupon_definition alter value type numeric;
alter table transaction alter total_amount type numeric, alter order_discount type numeric,
  alter net_spend type numeric;
alter table transaction_item alter total type numeric, alter discount type numeric,
  alter spend type numeric;
alter table transaction_coupon alter value type numeric;
alter table transaction_return alter amount type numeric;
