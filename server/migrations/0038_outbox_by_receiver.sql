-- Each receiver has a queue of its own. Without this index, a claim for one receiver reads past all
-- waiting events of a receiver that does not answer.
create index on outbox (company_id, webhook_id, next_at) where delivered_at is null;
