-- After a claim that does not wait, the transaction has its own limit for locks again. `default` is that of the session,
-- which behind pgbouncer has none.
create or replace function claim_key(
  p_company uuid, p_staff uuid, p_key uuid, p_endpoint text, p_hash bytea, p_answer jsonb default null
) returns void language plpgsql as $$
declare
  v_timeout text := current_setting('lock_timeout');
begin
  if current_setting('app.claim_waits', true) is distinct from 'off' then
    insert into operation (company_id, staff_id, key, endpoint, body_hash, answer)
      values (p_company, p_staff, p_key, p_endpoint, p_hash, p_answer);
  else
    begin
      set local lock_timeout = '20ms';
      insert into operation (company_id, staff_id, key, endpoint, body_hash, answer)
        values (p_company, p_staff, p_key, p_endpoint, p_hash, p_answer);
      perform set_config('lock_timeout', v_timeout, true);
    exception when lock_not_available then
      raise exception 'running' using errcode = 'TS002';
    end;
  end if;
  perform set_config('app.claimed_key', p_key::text, true);
end $$;
