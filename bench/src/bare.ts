// The reference: a bare node:http server that runs one prepared statement for a request and answers
// what it found. No session, no permission, no schema, no audit; what is left is what such a call
// costs at least.
import { createServer, type IncomingMessage } from 'node:http'
import * as pg from 'pg'

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10 })
const company = process.env['COMPANY_ID']

const lookUp = {
  name: 'look-up',
  text: `select m.*, t.tier_code, t.level, t.names as tier_names, st.name as store_name
    from member_key k join member m using (company_id, member_id)
    join member_tier mt using (company_id, member_id)
    join tier t on t.company_id = mt.company_id and t.tier_code = mt.tier_code
    left join store st on st.company_id = m.company_id and st.store_code = m.registration_store
    where k.company_id = $1 and k.kind = $2 and k.value = $3`,
}
const redeem = {
  name: 'redeem',
  text: `with redeemed as (
      update coupon c set used = true from member_key k
      where c.company_id = $1 and c.coupon_code = $2 and not c.used
        and k.company_id = $1 and k.kind = 'code' and k.value = $3 and k.member_id = c.member_id
        and current_date between c.start_date and c.expiry_date
      returning c.coupon_code, c.member_id, c.expiry_date)
    insert into coupon_redemption (company_id, coupon_code, member_id, store_code)
    select $1, coupon_code, member_id, 'S1' from redeemed returning *`,
}
const redeemSeveral = {
  name: 'redeem-several',
  text: redeem.text.replace('c.coupon_code = $2', 'c.coupon_code = any ($2)'),
}

const server = createServer((request, response) => {
  answer(request).then(
    (body) => response.writeHead(200, { 'content-type': 'application/json' }).end(body),
    () => response.writeHead(500).end(),
  )
})

async function answer(request: IncomingMessage): Promise<string> {
  const url = new URL(request.url ?? '/', 'http://bare')
  const mobile = `+${url.searchParams.get('countryCode')}${url.searchParams.get('mobile')}`
  const { rows } =
    request.method === 'GET'
      ? await pool.query({ ...lookUp, values: [company, 'mobile', mobile] })
      : await redeemed(request)
  return JSON.stringify({ code: rows.length > 0 ? 0 : 1, message: '', data: rows })
}

server.listen(0, '127.0.0.1', () => {
  const at = server.address()
  if (at === null || typeof at === 'string') throw new Error('no port')
  process.stdout.write(`Bare is ready at http://127.0.0.1:${at.port}\n`)
})

async function redeemed(request: IncomingMessage) {
  const [codes, member] = await codesOf(request)
  const which = typeof codes === 'string' ? redeem : redeemSeveral
  return pool.query({ ...which, values: [company, codes, member] })
}

async function codesOf(request: IncomingMessage): Promise<[string | string[], string]> {
  let text = ''
  for await (const part of request) text += String(part)
  const body: unknown = JSON.parse(text)
  if (typeof body !== 'object' || body === null) throw new Error('no body')
  const several: unknown = Reflect.get(body, 'couponCodes')
  const codes = Array.isArray(several)
    ? several.map(String)
    : String(Reflect.get(body, 'couponCode'))
  return [codes, String(Reflect.get(body, 'memberCode'))]
}
