-- API keys in one round trip, under the rules of 0067_redeem_at_once.sql. A till does not wait while an earlier request
-- with its key runs: it is told to ask again (database/operation.ts).

create or replace function claim_key(
  p_company uuid, p_staff uuid, p_key uuid, p_endpoint text, p_hash bytea, p_answer jsonb default null
) returns void language plpgsql as $$
begin
  if current_setting('app.claim_waits', true) is distinct from 'off' then
    insert into operation (company_id, staff_id, key, endpoint, body_hash, answer)
      values (p_company, p_staff, p_key, p_endpoint, p_hash, p_answer);
    return;
  end if;
  begin
    set local lock_timeout = '20ms';
    insert into operation (company_id, staff_id, key, endpoint, body_hash, answer)
      values (p_company, p_staff, p_key, p_endpoint, p_hash, p_answer);
    set local lock_timeout = default;
  exception when lock_not_available then
    raise exception 'running' using errcode = 'TS002';
  end;
end $$;
