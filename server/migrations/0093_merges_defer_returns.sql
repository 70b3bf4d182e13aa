-- For the merges of 0098. The rows of transaction_return for a sale without a member stay where they are,
-- while the receipt of the return moves to another member.
alter table transaction_return
  alter constraint transaction_return_company_id_transaction_id_fkey deferrable;
alter table transaction_return
  alter constraint transaction_return_company_id_original_id_fkey deferrable;
