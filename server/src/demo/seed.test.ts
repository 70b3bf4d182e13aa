import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import * as z from 'zod/mini'
import { findCompany, type FoundCompany } from '../company/find.ts'
import { createLog } from '../process/log.ts'
import { type Database, openDatabase, statement, type Transaction } from '../database/database.ts'
import { addDays } from '@tillside/contract/rules/day'
import { pointInvariants } from '../points/invariants.ts'
import { readFolder } from '../setup/folder.ts'
import { tillside } from '../testing/command.ts'
import { recordStatements } from '../testing/recorded-statements.ts'
import { atLevel } from '../testing/repetition.ts'
import { applyDemoCompanies, demoFolder, demoNotice } from './companies.ts'
import { memberCount } from './members.ts'
import { seedDemo } from './seed.ts'

const names = ['aurora', 'lotus', 'harbour', 'formosa']
const shown = [
  [
    'aurora',
    'AUR10001',
    '6200000010001',
    'UAUR10001',
    '1 2015550123',
    'grace.lee@example.com',
    'Grace',
    'Lee',
  ],
  [
    'lotus',
    'LOT10001',
    '6200000020001',
    'ULOT10001',
    '86 13123456789',
    'meiling.chen@example.com',
    '美玲',
    '陈',
  ],
  [
    'harbour',
    'HAR10001',
    '6200000030001',
    'UHAR10001',
    '852 51234567',
    'meiling.chan@example.com',
    '美玲',
    '陳',
  ],
  [
    'formosa',
    'FOR10001',
    '6200000040001',
    'UFOR10001',
    '886 912345678',
    'jiarong.lin@example.com',
    '佳蓉',
    '林',
  ],
] as const

const readToday = statement(
  'select (now() at time zone time_zone)::date as today from company where company_id = $1',
  z.object({ today: z.string() }),
)
const readShown = statement(
  `select member_id, card_number, uni_customer_no, country_code || ' ' || mobile as mobile, email,
     first_name, last_name, tier_code, expiry_date > $3::date as tier_stands, balance
   from member join member_tier using (company_id, member_id)
     join point_account using (company_id, member_id)
   where company_id = $1 and member_code = $2`,
  z.object({
    member_id: z.string(),
    card_number: z.string(),
    uni_customer_no: z.string(),
    mobile: z.string(),
    email: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    tier_code: z.string(),
    tier_stands: z.boolean(),
    balance: z.int(),
  }),
)
const readLots = statement(
  `select count(*)::int as lots, sum(remaining)::int as spendable,
     sum(remaining) filter (where expires_on <= $3)::int as ending
   from point_lot where company_id = $1 and member_id = $2 and remaining > 0
     and active_from <= $4 and expires_on >= $4`,
  z.object({ lots: z.int(), spendable: z.int(), ending: z.int() }),
)
const readReceipts = statement(
  `select count(*)::int as receipts, count(*) filter (where status = 'cancelled')::int as cancelled,
     count(*) filter (where status = 'deposit')::int as deposits,
     count(*) filter (where invoice_type = 'return')::int as returns,
     min(item_count) as least_items,
     count(*) filter (where occurred_at > now())::int as future
   from transaction where company_id = $1 and member_id = $2`,
  z.record(z.string(), z.int()),
)
const readCoupons = statement(
  `select count(*) filter (where not used and $3 between start_date and expiry_date)::int as to_use,
     count(*) filter (where used)::int as used,
     count(*) filter (where not used and expiry_date < $3)::int as expired,
     count(*)::int as coupons,
     count(*) filter (where start_date > $3)::int as later
   from coupon where company_id = $1 and member_id = any ($2::uuid[])`,
  z.record(z.string(), z.int()),
)
const readMembers = statement(
  `select array_agg(member_id) as ids, count(*)::int as members,
     count(*) filter (where tnc_version <> $2)::int as resign,
     count(*) filter (where mobile is null)::int as no_mobile,
     count(*) filter (where email is null)::int as no_email,
     max(length(first_name || last_name)) as longest,
     count(*) filter (where balance = 0)::int as zero, count(distinct tier_code)::int as tiers,
     (select count(*)::int from consent c where c.company_id = $1) as consents,
     (select count(*)::int from coupon c where c.company_id = $1 and used <> exists (
       select from coupon_redemption r where r.company_id = $1 and r.coupon_code = c.coupon_code)
     ) as wrongly_used
   from member join point_account using (company_id, member_id)
     join member_tier using (company_id, member_id)
   where company_id = $1`,
  z.object({
    ids: z.array(z.string()),
    members: z.int(),
    resign: z.int(),
    no_mobile: z.int(),
    no_email: z.int(),
    longest: z.int(),
    zero: z.int(),
    tiers: z.int(),
    consents: z.int(),
    wrongly_used: z.int(),
  }),
)
const readStaff = statement(
  `select account, active, menus, permissions from staff join store using (company_id, store_code)
   join staff_group using (company_id, group_code) where company_id = $1 order by account`,
  z.object({
    account: z.string(),
    active: z.boolean(),
    menus: z.array(z.string()),
    permissions: z.array(z.string()),
  }),
)

let database: Database
// Each member takes 3 ms, and a part of them shows the same proportions.
const count = atLevel({ short: 150, full: memberCount, long: memberCount })
const silent = createLog({ logLevel: 'silent' })
const companies = new Map<string, FoundCompany>()
beforeAll(async () => {
  database = openDatabase(inject('databaseUrl'))
  await applyDemoCompanies(database, silent, count)
  for (const name of names) {
    const company = await findCompany(database, name)
    if (company !== null) companies.set(name, company)
  }
}, 180_000)
afterAll(() => database.close())

function inside<T>(
  name: string,
  work: (tx: Transaction, c: FoundCompany, today: string) => Promise<T>,
) {
  const company = companies.get(name)
  if (company === undefined) throw new Error(`${name} was not made`)
  return database.transaction(company.id, async (tx) => {
    const { today } = await tx.one(readToday, [company.id])
    return work(tx, company, today)
  })
}

describe.each(names)('%s', (name) => {
  test(`has ${count} members with difficult names; a tenth must accept new terms`, async () => {
    const members = await inside(name, (tx, { id, settings }) =>
      tx.one(readMembers, [id, settings.terms.version]),
    )
    expect(members).toMatchObject({
      members: count,
      resign: count / 10,
      consents: 2 * count,
      wrongly_used: 0,
    })
    expect(members.tiers).toBeGreaterThanOrEqual(3)
    expect(members.longest).toBeGreaterThanOrEqual(40)
    expect(members.zero).toBeGreaterThan(count * 0.08)
    expect(members.no_mobile).toBeGreaterThan(count * 0.04)
    expect(members.no_email).toBeGreaterThan(count * 0.04)
    const coupons = await inside(name, (tx, { id }, today) =>
      tx.one(readCoupons, [id, members.ids, today]),
    )
    for (const status of ['to_use', 'used', 'expired', 'later']) {
      expect(coupons[status]).toBeGreaterThan(10)
    }
  })

  test("keeps the ledger's invariants", async () => {
    const broken = await inside(name, (tx, { id }) =>
      Promise.all(Object.values(pointInvariants).map((query) => tx.all(query, [id]))),
    )
    expect(broken.flat()).toEqual([])
  })

  test('has amy, ben, cleo and dan', async () => {
    const staff = await inside(name, (tx, { id }) => tx.all(readStaff, [id]))
    expect(staff.map((s) => [s.account, s.active, s.menus.length > 0])).toEqual([
      ['amy', true, true],
      ['ben', true, true],
      ['cleo', false, true],
      ['dan', true, false],
    ])
    const off = ['register', 'scanQrCode', 'couponRedeem']
    const amy = staff[0]?.permissions ?? []
    expect(off.filter((permission) => amy.includes(permission))).toEqual(
      name === 'formosa' ? [] : off,
    )
    expect(staff[1]?.permissions).not.toContain('couponRedeem')
  })

  test('is seeded only once', async () => {
    const { definition } = await readFolder(join(demoFolder, name))
    expect(await seedDemo(database, definition)).toBe(false)
  })
})

test.each(shown)(
  '%s has %s with the figures that the documentation shows',
  async (name, code, ...fields) => {
    await inside(name, async (tx, { id }, today) => {
      const member = await tx.one(readShown, [id, code, today])
      const [card_number, uni_customer_no, mobile, email, first_name, last_name] = fields
      expect(member).toMatchObject({
        card_number,
        uni_customer_no,
        mobile,
        email,
        first_name,
        last_name,
        tier_code: 'gold',
        tier_stands: true,
        balance: 12_480,
      })
      const [lots, receipts, coupons] = await Promise.all([
        tx.one(readLots, [id, member.member_id, addDays(today, 60), today]),
        tx.one(readReceipts, [id, member.member_id]),
        tx.one(readCoupons, [id, [member.member_id], today]),
      ])
      expect(lots).toMatchObject({ spendable: 12_480, ending: 1_200 })
      expect(lots.lots).toBeGreaterThanOrEqual(3)
      expect(receipts).toMatchObject({ cancelled: 1, deposits: 1, returns: 1, future: 0 })
      expect(receipts['receipts']).toBeGreaterThanOrEqual(30)
      expect(receipts['least_items']).toBeGreaterThanOrEqual(1)
      expect(coupons).toMatchObject({ to_use: 4, used: 2, expired: 1, coupons: 7 })
    })
  },
)

test('tillside member find accepts each of the five member keys', async () => {
  const why = ['--reason', 'asked on the phone']
  for (const name of [
    'AUR10001',
    '6200 0000 1000 1',
    'uaur10001',
    '+1 (201) 555-0123',
    'Grace.Lee@example.com',
  ]) {
    const { code, stdout } = await tillside('member', 'find', 'aurora', name, ...why, '--json')
    expect([name, code]).toEqual([name, 0])
    expect(JSON.parse(stdout)).toMatchObject([{ memberCode: 'AUR10001', tier: 'gold' }])
  }
  expect(await tillside('member', 'find', 'aurora', 'LOT10001', ...why)).toMatchObject({ code: 1 })
})

test('a start without changes only reads two rows of each company', async () => {
  const { database: recorded, asked } = recordStatements(database)
  await applyDemoCompanies(recorded, silent)
  expect(asked).toHaveLength(2 * 4)
  for (const text of asked) expect(text).toMatch(/^select /)
})

test('seeding is refused in production', async () => {
  const { definition } = await readFolder(join(demoFolder, 'aurora'))
  const before = process.env['NODE_ENV']
  process.env['NODE_ENV'] = 'production'
  try {
    await expect(seedDemo(database, definition)).rejects.toThrow('development only')
  } finally {
    process.env['NODE_ENV'] = before
  }
})

test('the notice names companies, accounts and the password', () => {
  const address = `http://127.0.0.1/${randomUUID()}`
  for (const text of [...names, address, 'amy', 'ben', 'cleo', 'dan', 'Counter#2026']) {
    expect(demoNotice(address)).toContain(text)
  }
})
