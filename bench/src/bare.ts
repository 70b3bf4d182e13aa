// The reference: a bare node:http server that runs one prepared statement for a request and answers
// what it found. No session, no permission, no schema, no audit; what is left is what such a call
// costs at least.
import { createServer, type IncomingMessage } from 'node:http'
import * as pg from 'pg'

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10 })
const company = process.env['COMPANY_ID']

type Body = Record<string, unknown>
/** What a path stands for: one statement, and its values from the body. */
type Bare = { name: string; text: string; values(body: Body): unknown[] }

const lookUp = {
  name: 'look-up',
  text: `select m.*, t.tier_code, t.level, t.names as tier_names, st.name as store_name
    from member_key k join member m using (company_id, member_id)
    join member_tier mt using (company_id, member_id)
    join tier t on t.company_id = mt.company_id and t.tier_code = mt.tier_code
    left join store st on st.company_id = m.company_id and st.store_code = m.registration_store
    where k.company_id = $1 and k.kind = $2 and k.value = $3`,
}
const redeem = `with redeemed as (
    update coupon c set used = true from member_key k
    where c.company_id = $1 and c.coupon_code = any ($2) and not c.used
      and k.company_id = $1 and k.kind = 'code' and k.value = $3 and k.member_id = c.member_id
      and current_date between c.start_date and c.expiry_date
    returning c.coupon_code, c.member_id, c.expiry_date)
  insert into coupon_redemption (company_id, coupon_code, member_id, store_code)
  select $1, coupon_code, member_id, 'S1' from redeemed returning *`
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
    select $1, member_id, uuidv7(), entries, 100000015, -$3, balance from account returning *
  ), burn as (
    insert into point_burn (company_id, member_id, entry_id, lot_id, points)
    select $1, member_id, entry_id, lot_id, $3 from entry join lot using (member_id)
  ) select * from entry`
const earn = `with receipt as (
    insert into transaction (company_id, transaction_id, invoice_number, source, member_id,
      store_code, status, invoice_type, occurred_at, total_amount, order_discount, net_spend,
      item_count, points_earned, content_hash)
    select $1, uuidv7(), $3, 1, member_id, 'S1', 'completed', 'sale', now(), $4, 0, $4, 1,
      floor($4::numeric), ''
    from member_key where company_id = $1 and kind = 'code' and value = $2
    returning *
  ), item as (
    insert into transaction_item (company_id, transaction_id, line_no, sku_code, sku_name, price,
      quantity, total, discount, spend)
    select $1, transaction_id, 1, 'TEA', 'Tea', $4, 1, $4, 0, $4 from receipt
  ), account as (
    update point_account a set balance = balance + r.points_earned,
      earned = earned + r.points_earned, entries = entries + 1
    from receipt r where a.company_id = $1 and a.member_id = r.member_id
    returning a.member_id, a.balance, a.entries, r.points_earned, r.transaction_id
  ), entry as (
    insert into point_entry (company_id, member_id, entry_id, seq, type, points, balance_after,
      transaction_id)
    select $1, member_id, uuidv7(), entries, 100000000, points_earned, balance, transaction_id
    from account returning *
  ), lot as (
    insert into point_lot (company_id, member_id, lot_id, points, remaining, earned_at, active_from)
    select $1, member_id, entry_id, points, points, now(), current_date from entry
  ), spent as (
    insert into qualifying_spend (company_id, member_id, transaction_id, spent_on, amount)
    select $1, member_id, transaction_id, current_date, net_spend from receipt
  ) select * from entry`

const statements: Record<string, Bare> = {
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
  '/web/api/v1/connector/points/redeem': {
    name: 'spend',
    text: spend,
    values: (body) => [body['memberCode'], body['points']],
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

const server = createServer((request, response) => {
  answer(request).then(
    (body) => response.writeHead(200, { 'content-type': 'application/json' }).end(body),
    (error: unknown) => response.writeHead(500).end(String(error)),
  )
})

async function answer(request: IncomingMessage): Promise<string> {
  const url = new URL(request.url ?? '/', 'http://bare')
  const { rows } = await (request.method === 'GET'
    ? pool.query({ ...lookUp, values: [company, 'mobile', mobileOf(url)] })
    : changed(url.pathname, request))
  return JSON.stringify({ code: rows.length > 0 ? 0 : 1, message: '', data: rows })
}

function mobileOf({ searchParams }: URL): string {
  return `+${searchParams.get('countryCode')}${searchParams.get('mobile')}`
}

async function changed(path: string, request: IncomingMessage) {
  const bare = statements[path]
  if (bare === undefined) throw new Error(`nothing is known of ${path}`)
  let text = ''
  for await (const part of request) text += String(part)
  const body: unknown = JSON.parse(text)
  if (!isBody(body)) throw new Error('no body')
  return pool.query({ name: bare.name, text: bare.text, values: [company, ...bare.values(body)] })
}

function isBody(body: unknown): body is Body {
  return typeof body === 'object' && body !== null
}

server.listen(0, '127.0.0.1', () => {
  const at = server.address()
  if (at === null || typeof at === 'string') throw new Error('no port')
  process.stdout.write(`Bare is ready at http://127.0.0.1:${at.port}\n`)
})
