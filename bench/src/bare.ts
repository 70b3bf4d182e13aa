// The reference: a bare node:http server that runs one prepared statement for each request and
// answers its rows, without session, permissions, validation or audit. It shows the minimum cost of
// such a call.
import { pointTypes } from '@tillside/contract/wire/codes'
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import * as pg from 'pg'

// Plans use indexes, as the product's do: a plan made while a table is empty would scan it.
// Bare leaves out the triggers that write keys for the release before.
const options = '-c enable_seqscan=off -c app.keyed=yes'
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10, options })
const company = process.env['COMPANY_ID']

type Body = Record<string, unknown>
/** The statement for a path, and its values from the body. */
type Bare = { name: string; text: string; values(body: Body): unknown[] }

const lookUp = `select m.*, t.tier_code, t.level, t.names as tier_names, st.name as store_name
    from member_key k join member m using (company_id, member_id)
    join member_tier mt using (company_id, member_id)
    join tier t on t.company_id = mt.company_id and t.tier_code = mt.tier_code
    left join store st on st.company_id = m.company_id and st.store_code = m.registration_store
    where k.company_id = $1 and k.kind = $2 and k.value = $3`
const redeem = `with redeemed as (
    update coupon c set used = true from member_key k
    where c.company_id = $1 and c.coupon_code = any ($2) and not c.used
      and k.company_id = $1 and k.kind = 'code' and k.value = $3 and k.member_id = c.member_id
      and current_date between c.start_date and c.expiry_date
    returning c.coupon_code, c.member_id, c.expiry_date)
  insert into coupon_redemption (company_id, coupon_code, member_id, store_code)
  select $1, coupon_code, member_id, 'S1' from redeemed returning *`
const issue = `with definition as (
    update stock s set issued = s.issued + 1 from coupon_definition d
    where s.company_id = $1 and s.kind = 'coupon' and s.item_id = $2
      and d.company_id = $1 and d.coupon_id = $2
    returning d.coupon_id, d.valid_days)
  insert into coupon (company_id, coupon_code, member_id, coupon_id, issue_date, start_date,
    expiry_date, issued_store)
  select $1, $4, k.member_id, d.coupon_id, current_date, current_date,
    current_date + d.valid_days, 'S1'
  from definition d, member_key k where k.company_id = $1 and k.kind = 'code' and k.value = $3
  returning *`
const spend = `with account as (
    update point_account a set balance = balance - $3, used = used + $3, entries = entries + 1
    from member_key k
    where k.company_id = $1 and k.kind = 'code' and k.value = $2
      and a.company_id = $1 and a.member_id = k.member_id and a.balance >= $3
    returning a.member_id, a.balance, a.entries
  ), lot as (
    update point_lot l set remaining = remaining - $3 from account a
    where l.company_id = $1 and l.member_id = a.member_id and l.remaining >= $3
    returning l.member_id, l.lot_id
  ), entry as (
    insert into point_entry (company_id, member_id, entry_id, seq, type, points, balance_after)
    select $1, member_id, uuidv7(), entries, ${pointTypes.redeemTransaction.code}, -$3, balance
    from account returning *
  ), burn as (
    insert into point_burn (company_id, member_id, entry_id, lot_id, points)
    select $1, member_id, entry_id, lot_id, $3 from entry join lot using (member_id)
  ) select * from entry`
const earn = `with receipt as (
    insert into transaction (company_id, place, transaction_id, invoice_number, source, member_id,
      store_code, status, invoice_type, occurred_at, total_amount, order_discount, net_spend,
      item_count, points_earned, content_hash)
    select $1, member_id, uuidv7(), $3, 1, member_id, 'S1', 'completed', 'sale', now(), $4, 0, $4,
      1, floor($4::numeric), ''
    from member_key where company_id = $1 and kind = 'code' and value = $2
    returning *
  ), item as (
    insert into transaction_item (company_id, place, transaction_id, line_no, sku_code, sku_name,
      price, quantity, total, discount, spend)
    select $1, place, transaction_id, 1, 'TEA', 'Tea', $4, 1, $4, 0, $4 from receipt
  ), account as (
    update point_account a set balance = balance + r.points_earned,
      earned = earned + r.points_earned, entries = entries + 1
    from receipt r where a.company_id = $1 and a.member_id = r.member_id
    returning a.member_id, a.balance, a.entries, r.points_earned, r.transaction_id
  ), entry as (
    insert into point_entry (company_id, member_id, entry_id, seq, type, points, balance_after,
      transaction_id)
    select $1, member_id, uuidv7(), entries, ${pointTypes.earned.code}, points_earned, balance,
      transaction_id
    from account returning *
  ), lot as (
    insert into point_lot (company_id, member_id, lot_id, points, remaining, earned_at, active_from)
    select $1, member_id, entry_id, points, points, now(), current_date from entry
  ), spent as (
    insert into qualifying_spend (company_id, member_id, transaction_id, spent_on, amount)
    select $1, member_id, transaction_id, current_date, net_spend from receipt
  ) select * from entry`

const member = `with m as (
    select * from member_key where company_id = $1 and kind = 'code' and value = $2)`
const home = `${member}
  select a.*, mt.*, t.level, t.names, (
    select jsonb_agg(l) from (
      select expires_on, sum(remaining) from point_lot l
      where l.company_id = $1 and l.member_id = m.member_id and remaining > 0
        and expires_on >= current_date group by 1 order by 1 limit 3) l
  ) as expiring, (
    select jsonb_agg(c) from (
      select used, expiry_date < current_date as over, count(*) from coupon c
      where c.company_id = $1 and c.member_id = m.member_id group by 1, 2) c
  ) as coupons, (
    select sum(amount) from qualifying_spend q where q.company_id = $1
      and q.member_id = m.member_id and spent_on > current_date - interval '1 year'
  ) as spent
  from m join point_account a using (company_id, member_id)
  join member_tier mt using (company_id, member_id) join tier t using (company_id, tier_code)`
const firstPage = (table: string, order: string): string => `${member}
  select l.*, st.name from m join ${table} l using (company_id, member_id)
  left join store st on st.company_id = l.company_id and st.store_code = l.store_code
  order by ${order} desc limit 21`
const coupons = `${member}
  select c.*, d.names, count(*) over () from m join coupon c using (company_id, member_id)
  join coupon_definition d using (company_id, coupon_id) order by c.issued_at desc limit 21`

const looks: Record<string, Bare> = {
  '/web/api/v1/connector/customer/getOneCustomer': {
    name: 'look-up',
    text: lookUp,
    values: ({ countryCode, mobile }) => ['mobile', ['+', countryCode, mobile].join('')],
  },
  '/web/api/v1/connector/customer/membershipInfo': ofMember('home', home),
  '/web/api/v1/connector/coupon/getCustomerCoupons': ofMember('coupons', coupons),
  '/web/api/v1/connector/customer/pointHistory': ofMember(
    'points',
    firstPage('point_entry', 'l.seq'),
  ),
  '/web/api/v1/connector/transaction/list': ofMember(
    'receipts',
    firstPage('transaction', 'l.occurred_at'),
  ),
}

function ofMember(name: string, text: string): Bare {
  return { name, text, values: ({ memberCode }) => [memberCode] }
}

const changes: Record<string, Bare> = {
  '/web/api/v1/connector/coupon/redeem': {
    name: 'redeem',
    text: redeem.replace('= any ($2)', '= $2'),
    values: (body) => [body['couponCode'], body['memberCode']],
  },
  '/web/api/v1/connector/coupon/batchRedeem': {
    name: 'redeem-several',
    text: redeem,
    values: (body) => [body['couponCodes'], body['memberCode']],
  },
  '/web/api/v1/connector/coupon/issue': {
    name: 'issue',
    text: issue,
    values: (body) => [body['couponId'], body['memberCode'], makeCode()],
  },
  '/web/api/v1/connector/points/redeem': {
    name: 'spend',
    text: spend,
    values: (body) => [body['memberCode'], body['points']],
  },
  '/integration/v1/members/find': {
    name: 'find',
    text: lookUp,
    values: ({ countryCode, mobile }) => ['mobile', ['+', countryCode, mobile].join('')],
  },
  '/integration/v1/transactions': {
    name: 'earn',
    text: earn,
    values: ({ items }) => {
      const sale: unknown = Array.isArray(items) ? items[0] : null
      if (!isBody(sale)) throw new Error('no sale')
      return [sale['memberCode'], sale['invoiceNumber'], sale['netSpend']]
    },
  },
}

function makeCode(): string {
  return randomBytes(6).toString('hex').toUpperCase()
}

const server = createServer((request, response) => {
  answer(request).then(
    (body) => response.writeHead(200, { 'content-type': 'application/json' }).end(body),
    (error: unknown) => response.writeHead(500).end(String(error)),
  )
})

async function answer(request: IncomingMessage): Promise<string> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://bare')
  let text = ''
  if (request.method === 'POST') for await (const part of request) text += String(part)
  const [bare, body] =
    looks[pathname] === undefined
      ? changeOf(pathname, JSON.parse(text))
      : [looks[pathname], Object.fromEntries(searchParams)]
  if (bare === undefined || !isBody(body)) throw new Error(`unknown path ${pathname}`)
  const values = [company, ...bare.values(body)]
  const { rows } = await pool.query({ name: bare.name, text: bare.text, values })
  return JSON.stringify({ code: rows.length > 0 ? 0 : 1, message: '', data: rows })
}

/** A till names the coupon in the path. */
function changeOf(pathname: string, body: unknown): [Bare | undefined, unknown] {
  const couponCode = /^\/integration\/v1\/coupons\/(\w+)\/redeem$/.exec(pathname)?.[1]
  if (couponCode === undefined || !isBody(body)) return [changes[pathname], body]
  return [changes['/web/api/v1/connector/coupon/redeem'], { ...body, couponCode }]
}

function isBody(body: unknown): body is Body {
  return typeof body === 'object' && body !== null
}

server.listen(0, '127.0.0.1', () => {
  const at = server.address()
  if (at === null || typeof at === 'string') throw new Error('no port')
  process.stdout.write(`Bare is ready at http://127.0.0.1:${at.port}\n`)
})
