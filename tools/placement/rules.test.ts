import { loadModule } from 'libpg-query'
import { beforeAll, expect, test } from 'vitest'
import { brokenRules } from './rules.ts'

beforeAll(() => loadModule())

test.each([
  [
    'each placed table has its company and its own column',
    'select 1 from coupon c where c.company_id = $1',
  ],
  [
    'each placed table has its company and its own column',
    `select 1 from coupon c left join point_lot l using (company_id, member_id)
     where c.company_id = $1 and c.member_id = $2`,
  ],
  [
    'first the key, then the member',
    `select 1 from member_key k join member m on m.company_id = $1 and m.member_id = k.member_id
     where k.company_id = $1 and k.value = $2`,
  ],
  [
    'a write goes before a lock',
    'select 1 from coupon where company_id = $1 and member_id = $2 for update',
  ],
  ['a row is locked by its member', 'select 1 from coupon where company_id = $1 for update'],
  ['no lock on a copied table', 'select 1 from gift where company_id = $1 for update'],
  [
    'an insert has values, or selects from a table',
    `insert into coupon (company_id, member_id, coupon_code)
     select $1, $2, c from unnest($3::text[]) c`,
  ],
  [
    'an insert has values, or selects from a table',
    'insert into event_position (company_id) select $1 where $2 on conflict do nothing',
  ],
  [
    'a new row has a value as its place',
    'insert into coupon (company_id, member_id) values ($1, unnest($2::uuid[]))',
  ],
  [
    'each row of an array has an id of its own',
    `insert into coupon_redemption (company_id, member_id, coupon_code)
     values ($1, $2, unnest($3::text[]))`,
  ],
  [
    'each row of an array has an id of its own',
    `insert into audit (company_id, place, audit_id, details)
     values ($1, $2, uuidv7(), unnest($3::jsonb[]))`,
  ],
  [
    'a statement writes one table',
    `with used as (
       update coupon set used = true where company_id = $1 and member_id = $2 returning 1
     )
     insert into coupon_redemption (company_id, member_id) values ($1, $2)`,
  ],
  [
    'what is returned is immutable',
    'insert into member (company_id, member_id) values ($1, $2) returning now()',
  ],
  ['no ctid', 'delete from gift where ctid = any ($1)'],
  [
    'the member of a row never changes',
    'update coupon set member_id = $3 where company_id = $1 and member_id = $2',
  ],
  ['the company is set by `set local`', `select set_config('app.company_id', $1, true)`],
])('a statement that breaks a rule is found: %s', (rule, text) => {
  expect(brokenRules(text)).toContain(rule)
})

const wholeRule = 'tables of a whole company are joined by their own column'

test.each([
  ['has no company', 'select count(*) from coupon where member_id = $2'],
  ['deletes', 'delete from coupon where company_id = $1'],
  [
    'inserts',
    `insert into point_month_figures (company_id, entries)
     select $1, count(*) from point_entry where company_id = $1`,
  ],
  ['locks', 'select 1 from coupon where company_id = $1 for update'],
  [
    'joins by another column',
    `select 1 from coupon c join coupon_redemption r
       on r.company_id = $1 and r.coupon_code = c.coupon_code where c.company_id = $1`,
  ],
  [
    'joins the tables of two groups',
    `select 1 from member_key k join member m on m.company_id = $1 and m.member_id = k.member_id
     where k.company_id = $1`,
  ],
  [
    'joins the rows of two groups by the columns of both',
    `select 1 from coupon c join contact_proof p
       on p.company_id = $1 and p.reference_hash = c.member_id where c.company_id = $1`,
  ],
  [
    'unites the rows of two groups',
    `select coupon_code from coupon where company_id = $1
     union all select coupon_code from coupon_key where company_id = $1`,
  ],
  [
    'is correlated by another column',
    `select 1 from coupon c where c.company_id = $1 and not exists (
       select from coupon_redemption r where r.company_id = $1 and r.coupon_code = c.coupon_code)`,
  ],
  [
    'sums up for each row',
    `select m.member_id, l.points from member m cross join lateral (
       select sum(points) as points from point_lot l
       where l.company_id = $1 and l.member_id = m.member_id) l
     where m.company_id = $1`,
  ],
  [
    'joins with rows that do not have the column',
    `select 1 from coupon c join (
       select coupon_code from coupon_redemption where company_id = $1
     ) r using (coupon_code) where c.company_id = $1`,
  ],
])('a read of a whole company is found that %s', (_, text) => {
  expect(brokenRules(text, true)).toContain(wholeRule)
})

test.each([
  'select member_id from point_account where company_id = $1 order by member_id limit 1000',
  `select a.member_id from point_account a left join (
     select member_id, sum(remaining) as remaining from point_lot
     where company_id = $1 group by member_id
   ) l using (member_id) where a.company_id = $1 and a.balance <> coalesce(l.remaining, 0)`,
  `select o.event_id from outbox o join webhook w on w.company_id = $1
   where o.company_id = $1 and o.webhook_id = w.webhook_id and not exists (
     select from event v
     where v.company_id = $1 and v.member_id = o.member_id and v.seq = o.seq)`,
  `with entry as (select member_id, entry_id, points from point_entry where company_id = $1)
   select sum(e.points) from entry e
   join point_lot l on l.company_id = $1 and l.member_id = e.member_id and l.lot_id = e.entry_id`,
  `select prefix from (
     select left(coupon_code, 4) as prefix, count(*) as coupons from coupon
     where company_id = $1 group by 1
   ) c full join (
     select left(coupon_code, 4) as prefix, count(*) as coupons from coupon_key
     where company_id = $1 group by 1
   ) k using (prefix) where c.coupons is distinct from k.coupons`,
  `select revision, (select count(*) from member where company_id = $1) as members
   from company where company_id = $1`,
])('a read of a whole company passes: %s', (text) => {
  expect(brokenRules(text, true)).toEqual([])
})

test('a read of a whole company that is not declared as one is found', () => {
  const text = 'select count(*) from coupon where company_id = $1'
  expect(brokenRules(text)).toEqual(['each placed table has its company and its own column'])
})

test('a lock concerns the tables that it names', () => {
  const text = `select 1 from login_device d join staff s on s.company_id = $1
    where d.company_id = $1 and d.staff_id = $2 for update of`
  expect(brokenRules(`${text} d`, false, true)).toEqual([])
  expect(brokenRules(`${text} s`)).toEqual(['no lock on a copied table'])
})

test.each([
  'select 1 from coupon where company_id = $1 and member_id = $2::uuid for update',
  `select 1 from coupon c
     join coupon_definition d on d.company_id = $1 and d.coupon_id = c.coupon_id
     left join coupon_redemption r
       on r.company_id = $1 and r.member_id = $2 and r.coupon_code = c.coupon_code
   where c.company_id = $1 and c.member_id = $2`,
  'select member_id from member_key where company_id = $1 and kind = $2 and value = $3',
  `insert into coupon (company_id, member_id, coupon_code)
   select m.company_id, m.member_id, c from member m, unnest($3::text[]) c
   where m.company_id = $1 and m.member_id = $2`,
  `insert into coupon (company_id, member_id, coupon_code)
   values ($1, $2, unnest($3::text[])) on conflict do nothing`,
  `insert into coupon_redemption (company_id, member_id, redemption_id, coupon_code)
   values ($1, $2, unnest($3::uuid[]), unnest($4::text[]))`,
  'update coupon set used = true where company_id = p_company and member_id = p_member',
  'select names from gift where company_id = $1',
])('a statement that holds all rules passes: %s', (text) => {
  expect(brokenRules(text, false, true)).toEqual([])
})
