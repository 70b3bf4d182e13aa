-- Two members who are one person become one account, and can be parted again for a while. A merge
-- moves rows from one member to the other and books nothing: points, types, times, amounts, lots and
-- expiry stay as they are. Only the database's owner can do it, because the program's role cannot
-- update the ledger.

create table member_merge (
  company_id uuid not null references company,
  merge_id uuid not null default uuidv7(),
  survivor_id uuid not null,
  merged_id uuid not null check (merged_id <> survivor_id),
  merged_at timestamptz not null default now(),
  undone_at timestamptz,
  -- Of both members before: tier and period, and the survivor's answers about terms and marketing.
  tiers jsonb not null,
  answers jsonb not null,
  -- The entry that let points repay the debt of the other account; null: there was no debt.
  levelled_by uuid,
  primary key (company_id, merge_id),
  foreign key (company_id, survivor_id) references member,
  foreign key (company_id, merged_id) references member
);
-- A member is merged into one other at a time.
create unique index one_merge on member_merge (company_id, merged_id) where undone_at is null;
create index on member_merge (company_id, survivor_id) where undone_at is null;
call protect('member_merge', 'select');

-- What belonged to the merged member, so that the same rows go back. Of the survivor only the facts of
-- returns, to know later ones.
create table member_merge_row (
  company_id uuid not null,
  merge_id uuid not null,
  kind text not null check (kind in ('entry', 'receipt', 'coupon', 'consent', 'fact', 'forgiven',
    'survivorFact')),
  name text not null,
  primary key (company_id, merge_id, kind, name),
  foreign key (company_id, merge_id) references member_merge
);
call protect('member_merge_row', 'select');

-- The member to whom a key belonged before it came to a survivor; null: always this member's.
alter table member_key add column first_owner uuid;

-- Whether the member's rows are with a survivor: nothing may be added here.
alter table point_account add column merged boolean not null default false,
  add check (not merged or entries = 0);

-- An entry moves together with the rows that refer to it.
do $$
declare
  one record;
begin
  for one in
    select conrelid::regclass as referring, conname from pg_constraint
    where contype = 'f' and confrelid in ('point_entry'::regclass, 'point_lot'::regclass)
  loop
    execute format('alter table %s alter constraint %I deferrable', one.referring, one.conname);
  end loop;
end $$;

-- Adds up an account from its entries.
create procedure total_account(wanted uuid, member uuid) language sql as $$
  update point_account a
  set balance = e.balance, earned = e.earned, used = e.earned - e.balance, entries = e.entries
  from (
    select coalesce(sum(points), 0) as balance, count(*) as entries,
      coalesce(sum(points) filter (where points > 0), 0) as earned
    from point_entry where company_id = wanted and member_id = member
  ) e
  where a.company_id = wanted and a.member_id = member
$$;

-- Moves all rows of a member to the survivor. The entries of both become one history in the order of
-- their time; within each account the order stays.
create procedure merge_members(wanted uuid, merge uuid, survivor uuid, merged_member uuid)
  language plpgsql as $$
declare
  t text;
begin
  set constraints all deferred;
  insert into member_merge_row (company_id, merge_id, kind, name)
  select wanted, merge, kind, name from (
    select 'entry' as kind, entry_id::text as name, company_id, member_id from point_entry
    union all select 'receipt', transaction_id::text, company_id, member_id from transaction
    union all select 'coupon', coupon_code, company_id, member_id from coupon
    union all select 'consent', consent_id::text, company_id, member_id from consent
    union all select 'fact', fact_id::text, company_id, member_id from point_return
    union all select 'forgiven', forgiven_id::text, company_id, member_id from point_forgiven
  ) own where company_id = wanted and member_id = merged_member
  union all
  select wanted, merge, 'survivorFact', fact_id::text from point_return
  where company_id = wanted and member_id = survivor;

  -- Out of the way of the numbers from 1 on, and apart from each other.
  update point_entry set seq = seq + 1000000000 where company_id = wanted and member_id = survivor;
  update point_return set after_seq = after_seq + 1000000000
    where company_id = wanted and member_id = survivor;
  update point_entry set seq = seq + 1500000000, member_id = survivor
    where company_id = wanted and member_id = merged_member;
  update point_return set after_seq = after_seq + 1500000000, member_id = survivor
    where company_id = wanted and member_id = merged_member;
  with reached as (
    select entry_id, seq, points,
      max(created_at) over (partition by seq > 1500000000 order by seq) as at
    from point_entry where company_id = wanted and member_id = survivor
  ), placed as materialized (
    select entry_id, seq as before, row_number() over chronicle as seq,
      sum(points) over chronicle as balance
    from reached window chronicle as (order by at, seq)
  ), facts as (
    update point_return r
    set after_seq = coalesce((select p.seq from placed p where p.before = r.after_seq), 0)
    where r.company_id = wanted and r.member_id = survivor
  )
  update point_entry e set seq = p.seq, balance_after = p.balance from placed p
  where e.company_id = wanted and e.member_id = survivor and e.entry_id = p.entry_id;

  foreach t in array array['point_lot', 'point_burn', 'gift_redemption', 'point_promotion',
    'sale_redemption', 'point_operation', 'point_forgiven', 'coupon', 'coupon_redemption', 'consent',
    'transaction', 'qualifying_spend']
  loop
    execute format('update %I set member_id = $2 where company_id = $1 and member_id = $3', t)
      using wanted, survivor, merged_member;
  end loop;
  update member_key set member_id = survivor, first_owner = coalesce(first_owner, merged_member)
    where company_id = wanted and member_id = merged_member;
  -- The newest answer counts.
  update member s
  set tnc_version = m.tnc_version, tnc_accepted_at = m.tnc_accepted_at,
    marketing_opt_in = m.marketing_opt_in
  from member m
  where s.company_id = wanted and s.member_id = survivor and m.company_id = wanted
    and m.member_id = merged_member
    and m.tnc_accepted_at > coalesce(s.tnc_accepted_at, '-infinity');
  call total_account(wanted, survivor);
  call total_account(wanted, merged_member);
  update point_account set merged = true where company_id = wanted and member_id = merged_member;
  set constraints all immediate;
end $$;

-- Moves rows that were added to the merged member by requests that began before the merge. The command
-- calls this when these requests have ended. Receipts and points are never among the rows: their
-- requests lock the account, see that the member was merged, and are run again.
create procedure follow_merge(wanted uuid, merge uuid, survivor uuid, merged_member uuid)
  language sql as $$
  insert into member_merge_row (company_id, merge_id, kind, name)
  select wanted, merge, 'coupon', coupon_code from coupon
    where company_id = wanted and member_id = merged_member
  union all select wanted, merge, 'consent', consent_id::text from consent
    where company_id = wanted and member_id = merged_member
  on conflict do nothing;
  update coupon set member_id = survivor where company_id = wanted and member_id = merged_member;
  update coupon_redemption set member_id = survivor
    where company_id = wanted and member_id = merged_member;
  update consent set member_id = survivor where company_id = wanted and member_id = merged_member;
  update member_key set member_id = survivor, first_owner = coalesce(first_owner, merged_member)
    where company_id = wanted and member_id = merged_member
$$;

-- Gives entries of one member numbers from 1 on, in their order.
create procedure number_entries(wanted uuid, member uuid) language sql as $$
  update point_entry set seq = seq + 1000000000 where company_id = wanted and member_id = member;
  update point_return r set after_seq = (
    select count(*) from point_entry e where e.company_id = wanted and e.member_id = member
      and e.seq <= r.after_seq + 1000000000
  ) where r.company_id = wanted and r.member_id = member;
  update point_entry e set seq = p.seq, balance_after = p.balance
  from (
    select entry_id, row_number() over (order by seq) as seq, sum(points) over (order by seq) as balance
    from point_entry where company_id = wanted and member_id = member
  ) p
  where e.company_id = wanted and e.member_id = member and e.entry_id = p.entry_id
$$;

-- Moves the rows of a merged member back, and those that have followed from them since: returns of its
-- sales, undone redemptions, expiry. Answers false, and must then be rolled back, when something since
-- has used what belongs to both.
create function unmerge_members(wanted uuid, merge uuid, survivor uuid, merged_member uuid)
  returns boolean language plpgsql as $$
declare
  levelled uuid;
  found_more boolean;
  t text;
begin
  set constraints all deferred;
  select levelled_by into levelled from member_merge where company_id = wanted and merge_id = merge;
  create temporary table own on commit drop as
    select kind, name from member_merge_row where company_id = wanted and merge_id = merge;
  create unique index on own (kind, name);
  loop
    insert into own select distinct 'receipt', r.transaction_id::text
    from transaction_return r join transaction t
      on t.company_id = wanted and t.transaction_id = r.transaction_id and t.member_id = survivor
    join own o on o.kind = 'receipt' and o.name = r.original_id::text
    where r.company_id = wanted
    on conflict do nothing;
    exit when not found;
  end loop;
  if exists (
    select from transaction_return r join own o on o.kind = 'receipt'
      and o.name = r.transaction_id::text
    where r.company_id = wanted and not exists (
      select from own s where s.kind = 'receipt' and s.name = r.original_id::text)
  ) then return false; end if;
  loop
    insert into own select 'entry', e.entry_id::text from point_entry e
    where e.company_id = wanted and e.member_id = survivor and (
      exists (select from own o where o.kind = 'receipt' and o.name = e.transaction_id::text)
      or exists (select from own o where o.kind = 'entry' and o.name = e.reverses::text)
      or (e.type = 100000012 and e.reverses is null and exists (
        select from point_burn b join own o on o.kind = 'entry' and o.name = b.lot_id::text
        where b.company_id = wanted and b.member_id = survivor and b.entry_id = e.entry_id)))
    on conflict do nothing;
    exit when not found;
  end loop;
  -- A return since whose points were still in the lot of its sale says nothing about other lots. Any
  -- other return was settled with the points of both.
  if exists (
    select from point_return r where r.company_id = wanted and r.member_id = survivor
      and not exists (select from own o where o.kind in ('fact', 'survivorFact')
        and o.name = r.fact_id::text)
      and not exists (
        select from point_entry e join point_burn b on b.company_id = wanted
          and b.member_id = survivor and b.entry_id = e.entry_id and b.lot_id = r.entry_id
        where e.company_id = wanted and e.member_id = survivor and r.kind = 'award'
          and e.reverses = r.entry_id and e.transaction_id = r.transaction_id
          and e.points = -r.points and b.points = r.points)
  ) then return false; end if;
  insert into own select 'fact', fact_id::text from point_return r
  where company_id = wanted and member_id = survivor and exists (
    select from own o where (o.kind, o.name) in
      (('entry', r.entry_id::text), ('receipt', r.transaction_id::text)))
  on conflict do nothing;
  insert into own select 'forgiven', forgiven_id::text from point_forgiven f
  where company_id = wanted and member_id = survivor and exists (
    select from own o where o.kind = 'receipt' and o.name = f.transaction_id::text)
  on conflict do nothing;

  -- Points that one account took from a lot of the other go back to it, if an undo has settled them,
  -- or if they only repaid the other account's debt in the merge.
  create temporary table crossed on commit drop as
    select b.entry_id, b.lot_id, b.points, coalesce(e.reverses, e.entry_id) as root
    from point_burn b join point_entry e
      on e.company_id = wanted and e.member_id = survivor and e.entry_id = b.entry_id
    where b.company_id = wanted and b.member_id = survivor and (b.entry_id = levelled
      or exists (select from own o where o.kind = 'entry' and o.name = b.entry_id::text)
        <> exists (select from own o where o.kind = 'entry' and o.name = b.lot_id::text));
  if exists (
    select from crossed where root is distinct from levelled group by root having sum(points) <> 0
  ) then return false; end if;
  update point_lot l set remaining = l.remaining + c.points
  from (select lot_id, sum(points) as points from crossed group by lot_id) c
  where l.company_id = wanted and l.member_id = survivor and l.lot_id = c.lot_id;
  delete from point_burn b using crossed c
  where b.company_id = wanted and b.member_id = survivor and b.entry_id = c.entry_id
    and b.lot_id = c.lot_id;

  update point_entry e set member_id = merged_member from own o
  where e.company_id = wanted and e.member_id = survivor and o.kind = 'entry'
    and o.name = e.entry_id::text;
  update point_lot l set member_id = merged_member from own o
  where l.company_id = wanted and l.member_id = survivor and o.kind = 'entry'
    and o.name = l.lot_id::text;
  foreach t in array array['point_burn', 'gift_redemption', 'point_promotion', 'sale_redemption',
    'point_operation']
  loop
    execute format('update %I x set member_id = $3 from own o where x.company_id = $1
      and x.member_id = $2 and o.kind = ''entry'' and o.name = x.entry_id::text', t)
      using wanted, survivor, merged_member;
  end loop;
  update point_return r set member_id = merged_member from own o
  where r.company_id = wanted and r.member_id = survivor and o.kind = 'fact'
    and o.name = r.fact_id::text;
  update point_forgiven f set member_id = merged_member from own o
  where f.company_id = wanted and f.member_id = survivor and o.kind = 'forgiven'
    and o.name = f.forgiven_id::text;
  foreach t in array array['transaction', 'qualifying_spend'] loop
    execute format('update %I x set member_id = $3 from own o where x.company_id = $1
      and x.member_id = $2 and o.kind = ''receipt'' and o.name = x.transaction_id::text', t)
      using wanted, survivor, merged_member;
  end loop;
  foreach t in array array['coupon', 'coupon_redemption'] loop
    execute format('update %I x set member_id = $3 from own o where x.company_id = $1
      and x.member_id = $2 and o.kind = ''coupon'' and o.name = x.coupon_code', t)
      using wanted, survivor, merged_member;
  end loop;
  update consent c set member_id = merged_member from own o
  where c.company_id = wanted and c.member_id = survivor and o.kind = 'consent'
    and o.name = c.consent_id::text;

  -- Also the keys of members that were merged into the merged one before.
  with recursive below as (
    select merged_member as member_id
    union all
    select g.merged_id from below b join member_merge g
      on g.company_id = wanted and g.survivor_id = b.member_id and g.undone_at is null
  )
  update member_key k set member_id = merged_member, first_owner = nullif(first_owner, merged_member)
  where k.company_id = wanted and k.member_id = survivor
    and k.first_owner in (select b.member_id from below b);
  -- Unless the survivor has answered again since.
  update member s
  set tnc_version = g.answers ->> 'version', tnc_accepted_at = (g.answers ->> 'at')::timestamptz,
    marketing_opt_in = (g.answers ->> 'marketing')::boolean
  from member_merge g, member m
  where s.company_id = wanted and s.member_id = survivor and g.company_id = wanted
    and g.merge_id = merge and m.company_id = wanted and m.member_id = merged_member
    and s.tnc_accepted_at = m.tnc_accepted_at;
  update point_account set merged = false where company_id = wanted and member_id = merged_member;
  call number_entries(wanted, survivor);
  call number_entries(wanted, merged_member);
  call total_account(wanted, survivor);
  call total_account(wanted, merged_member);
  update member_merge set undone_at = now() where company_id = wanted and merge_id = merge;
  set constraints all immediate;
  return not exists (
    select from point_account a where a.company_id = wanted
      and a.member_id in (survivor, merged_member) and greatest(a.balance, 0) <> coalesce((
        select sum(l.remaining) from point_lot l
        where l.company_id = wanted and l.member_id = a.member_id), 0));
end $$;
