import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import {
  couponCodeDetail,
  getCustomerCoupons,
  getStoreAssignedCoupons,
  issueCoupon,
  redeemCoupon,
} from '@tillside/contract/coupon'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { statement } from '../database/database.ts'
import { addDays } from '@tillside/contract/rules/day'
import { tillside } from '../testing/command.ts'
import { call, logIn, ok } from '../testing/factories/company.ts'
import { contentsOf } from '../testing/contents.ts'
import { testCoupon, todayOf } from '../testing/factories/coupon.ts'
import { testDefinition } from '../testing/factories/definition.ts'
import { testMember } from '../testing/factories/member.ts'
import { type Shop, testShop } from '../testing/factories/shop.ts'
import { applyCompany } from './apply.ts'

const logo = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"></svg>'
const treat = {
  names: { 'en-US': 'x', 'zh-HK': 'x' },
  kind: 'gift',
  validity: { days: 30 },
} as const
const coupons = [
  { ...treat, id: 'TREAT' },
  { ...treat, id: 'FEW', stock: 3 },
]

let home: string
let shop: Shop
let token: string
let member: { id: string; memberCode: string }
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'tillside-coupons-'))
  shop = await testShop({ coupons })
  token = await logIn(shop)
  member = await testMember(shop)
})
afterAll(async () => {
  await shop.close()
  await rm(home, { recursive: true })
})

const run = (...words: string[]) => tillside('coupon', ...words)
const readAudits = statement(
  `select action, details from audit
   where company_id = $1 and action like 'coupon.%' and request_id = 'command' order by audit_id`,
  z.object({ action: z.string(), details: z.record(z.string(), z.unknown()) }),
)
const audits = () => shop.database.transaction(shop.id, (tx) => tx.all(readAudits, [shop.id]))

const issue = () => {
  const input = { memberCode: member.memberCode, couponId: 'TREAT', quantity: 1 }
  return call(shop, issueCoupon, input, { token })
}
const offered = async () => {
  const input = { memberCode: member.memberCode }
  const { items } = await ok(shop, getStoreAssignedCoupons, input, { token })
  return items.some(({ couponId }) => couponId === 'TREAT')
}
const voided = (code: string, reason = 'misprint') =>
  run('void', shop.identifier, code, '--reason', reason, '--json')
const row = (status: string, startDate: string, expiryDate: string) =>
  expect.objectContaining({ couponId: 'TREAT', status, startDate, expiryDate })

describe('coupon stop', () => {
  test('stops issuing, also after the folder is applied; issued coupons stay valid', async () => {
    const couponCode = await testCoupon(shop, member)
    const stopped = await run('stop', shop.identifier, 'TREAT')
    expect(stopped).toMatchObject({
      code: 0,
      stdout: `TREAT of ${shop.identifier} is stopped\n`,
      stderr: '',
    })
    expect([await offered(), (await issue()).code]).toEqual([false, 113001])
    const definition = testDefinition(shop.identifier, { coupons, undoMinutes: 7 })
    await applyCompany(shop.database, { definition, logo, checksum: 'changed' })
    expect([await offered(), (await issue()).code]).toEqual([false, 113001])
    const input = { couponCode, memberCode: member.memberCode }
    expect((await call(shop, redeemCoupon, input, { token })).code).toBe(0)
    expect((await run('resume', shop.identifier, 'TREAT')).code).toBe(0)
    expect([await offered(), (await issue()).code]).toEqual([true, 0])
    expect((await audits()).map(({ action }) => action)).toEqual(['coupon.stop', 'coupon.resume'])
  })

  test('names a missing definition', async () => {
    const answer = await run('stop', shop.identifier, 'NOPE')
    expect(answer).toMatchObject({ code: 1, stderr: 'there is no coupon definition "NOPE"\n' })
    expect((await run('stop', 'nowhere', 'TREAT')).stderr).toContain('nowhere')
  })
})

describe('coupon void', () => {
  test('voids a coupon permanently, with its reason', async () => {
    const code = await testCoupon(shop, member)
    const { stdout } = await voided(`${code.slice(0, 6)}-${code.slice(6)}`.toLowerCase())
    expect(JSON.parse(stdout)).toEqual({
      company: shop.identifier,
      code,
      reason: 'misprint',
    })
    const detail = await ok(shop, couponCodeDetail, { couponCode: code }, { token })
    expect(detail.status).toBe('EXPIRED')
    const input = { couponCode: code, memberCode: member.memberCode }
    expect((await call(shop, redeemCoupon, input, { token })).code).toBe(113003)
    expect((await audits()).at(-1)).toEqual({
      action: 'coupon.void',
      details: { couponCode: code, reason: 'misprint' },
    })
    expect((await voided(code, 'again')).stderr).toBe(`coupon ${code} is void already: misprint\n`)
  })

  test('refuses used and unknown coupons, and requires a reason', async () => {
    const code = await testCoupon(shop, member)
    const input = { couponCode: code, memberCode: member.memberCode }
    await ok(shop, redeemCoupon, input, { token })
    expect((await voided(code)).stderr).toContain('is used')
    expect((await voided('NONE')).stderr).toBe('there is no coupon NONE\n')
    expect((await voided(code, '  ')).stderr).toContain('--reason must be a text')
    expect(await run('void', shop.identifier, code)).toMatchObject({ code: 1 })
  })
})

describe('coupon import', () => {
  let files = 0
  async function bringIn(lines: readonly string[], couponId = 'TREAT') {
    const csv = join(home, `codes-${(files += 1)}.csv`)
    await writeFile(csv, `${lines.join('\r\n')}\r\n`)
    const rejected = `${csv}.rejected.csv`
    const done = await run(
      'import',
      shop.identifier,
      couponId,
      csv,
      '--rejected',
      rejected,
      '--reason',
      'old system',
      '--json',
    )
    return {
      ...done,
      summary: done.stdout === '' ? null : JSON.parse(done.stdout),
      rejected: await readFile(rejected, 'utf8').catch(() => null),
    }
  }

  test('imports codes of members; a repeat changes nothing', async () => {
    const owner = await testMember(shop)
    const today = await todayOf(shop)
    const lines = [
      '\uFEFFcode,memberCode,startDate,expiryDate,note',
      `HELLO-2026,${owner.memberCode},,,first`,
      `ten percent,${owner.memberCode.toLowerCase()},2026-01-01,2999-12-31,`,
      '',
      `OLD1,${owner.memberCode},2020-01-01,2020-12-31,"over, long ago"`,
    ]
    const first = await bringIn(lines)
    expect([first.code, first.stderr]).toEqual([0, ''])
    const counts = { read: 3, created: 3, unchanged: 0, rejected: 0, rejectedFile: null }
    expect(first.summary).toEqual(counts)
    const { items } = await ok(
      shop,
      getCustomerCoupons,
      { memberCode: owner.memberCode },
      { token },
    )
    expect(new Map(items.map((item) => [item.code, item]))).toEqual(
      new Map([
        ['HELLO-2026', row('ISSUED', today, addDays(today, 29))],
        ['ten percent', row('ISSUED', '2026-01-01', '2999-12-31')],
        ['OLD1', row('EXPIRED', '2020-01-01', '2020-12-31')],
      ]),
    )
    const before = await contentsOf(shop)
    const again = await bringIn(lines)
    expect(again.summary).toEqual({ ...counts, created: 0, unchanged: 3 })
    expect(await contentsOf(shop)).toEqual(before)
    // Printed codes and all their spellings can be typed.
    for (const couponCode of ['HELLO-2026', 'he110 2O26', 'ＨＥＬＬＯ２０２６']) {
      expect((await ok(shop, couponCodeDetail, { couponCode }, { token })).code).toBe('HELLO-2026')
    }
    const input = { couponCode: 'HELLO-2026', memberCode: owner.memberCode }
    expect((await call(shop, redeemCoupon, input, { token })).code).toBe(0)
    expect(await shop.violations()).toEqual([])
  })

  test('reads a gzipped file like the other imports', async () => {
    const owner = await testMember(shop)
    const csv = join(home, 'codes.csv.gz')
    await writeFile(csv, gzipSync(`code,memberCode\nZIPPED-1,${owner.memberCode}\n`))
    const done = await run(
      'import',
      shop.identifier,
      'TREAT',
      csv,
      '--reason',
      'old system',
      '--json',
    )
    expect([done.code, done.stderr]).toEqual([0, ''])
    expect(JSON.parse(done.stdout)).toMatchObject({ read: 1, created: 1, rejected: 0 })
  })

  test('an unreadable row does not affect the others', async () => {
    const owner = await testMember(shop)
    const fine = ['FINE-1', 'FINE-2'].map((code) => `${code},${owner.memberCode}`)
    const result = await bringIn(['code,memberCode', ...fine, `BROKEN,"x"y`])
    expect(result.summary).toMatchObject({ created: 2, unchanged: 0 })
    expect(result.rejected).toContain('Invalid Closing Quote')
  })

  test('rejects invalid rows one by one, with the reason', async () => {
    const [owner, other] = [await testMember(shop), await testMember(shop)]
    const mine = owner.memberCode
    await testCoupon(shop, owner, 0, 'FEW')
    const theirs = await testCoupon(shop, other, 0, 'FEW')
    const mineOfFew = await testCoupon(shop, owner, 0, 'FEW')
    const result = await bringIn([
      'memberCode,code,startDate,expiryDate',
      `${mine},GOOD-1`,
      `${mine},good 1`,
      `NOBODY,CODE2`,
      `,CODE3`,
      `${mine},ABC`,
      `${mine},"SEMI;COLON"`,
      `${mine},${'A'.repeat(33)}`,
      `${mine},CODE4,2026-02-30,`,
      `${mine},CODE5,2026-03-02,2026-03-01`,
      `${other.memberCode},G00D1`,
      `${mine},${theirs}`,
      `${mine},${mineOfFew}`,
      `${mine},GOOD1,2026-01-01,`,
    ])
    expect(result.code).toBe(1)
    expect(result.summary).toMatchObject({ read: 13, created: 1, unchanged: 1, rejected: 11 })
    expect(result.rejected?.split('\n')).toEqual([
      'line,code,reason',
      '4,CODE2,"there is no member ""NOBODY"""',
      '5,CODE3,"there is no member """""',
      '6,ABC,a code must have 4 to 32 letters and digits',
      '7,SEMI;COLON,a code must have 4 to 32 letters and digits',
      `8,${'A'.repeat(33)},a code must have 4 to 32 letters and digits`,
      '9,CODE4,"""2026-02-30"" is not a valid date"',
      '10,CODE5,the validity ends before it begins',
      '11,G00D1,the code belongs to another member',
      `12,${theirs},the code belongs to another member`,
      `13,${mineOfFew},the code belongs to another coupon`,
      '14,GOOD1,the code exists already with other dates',
      '',
    ])
  })

  test('imports no more than the stock, and a thousand rows like one', async () => {
    const owner = await testMember(shop)
    const rows = Array.from({ length: 1200 }, (_, n) => `BULK${n},${owner.memberCode}`)
    const full = await bringIn(['code,memberCode', ...rows.slice(0, 2)], 'FEW')
    expect(full.rejected).toContain('the stock is too small')
    const all = await bringIn(['code,memberCode', ...rows])
    expect(all.summary).toMatchObject({ read: 1200, created: 1200, rejected: 0 })
    expect(await shop.violations()).toEqual([])
  })

  test.each([
    ['no header', ['A,B'], 'has no column code, memberCode'],
    ['no rows', ['code,memberCode'], 'has no rows'],
    ['no file', null, 'does not exist'],
    ['no definition', ['code,memberCode', 'CODE,M'], 'no coupon definition'],
  ])('names a problem of the whole file: %s', async (what, lines, words) => {
    const couponId = what === 'no definition' ? 'NOPE' : 'TREAT'
    const result =
      lines === null
        ? await run('import', shop.identifier, couponId, join(home, 'none.csv'), '--reason', 'x')
        : await bringIn(lines, couponId)
    expect(result.code).toBe(1)
    expect(result.stderr).toContain(words)
  })
})
