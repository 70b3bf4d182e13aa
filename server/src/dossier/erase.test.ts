import { listShiftNotes, writeShiftNote } from '@tillside/contract/activity'
import { cancelCouponRedeem, couponCodeDetail, redeemCoupon } from '@tillside/contract/coupon'
import { createCustomer, getOneCustomer, updateCustomer } from '@tillside/contract/member'
import { pointHistory } from '@tillside/contract/points'
import { sendEmailCaptcha } from '@tillside/contract/verification'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { statement } from '../database/database.ts'
import { call, logIn, ok } from '../testing/factories/company.ts'
import { tillside } from '../testing/command.ts'
import { testCoupon } from '../testing/factories/coupon.ts'
import { memberIn, newForm } from '../testing/factories/registration.ts'
import { givePoints } from '../testing/factories/points.ts'
import { receipt } from '../testing/factories/receipt.ts'
import { type Shop, testShop } from '../testing/factories/shop.ts'

let shop: Shop
let token: string
beforeAll(async () => {
  shop = await testShop({ profileFields: { shown: [], editable: ['firstName'] } })
  token = await logIn(shop)
})
afterAll(() => shop.close())

/** Runs a `member` command about one member, by Ann Lee. */
function run(verb: string, code: string, ...options: string[]) {
  const author = ['--by', 'Ann Lee', '--reason', 'asked by letter 17']
  return tillside('member', verb, shop.identifier, code, ...author, ...options)
}

const readId = statement(
  `select member_id from member_key where company_id = $1 and kind = 'code' and value = $2`,
  z.object({ member_id: z.string() }),
)
const readTables = statement(
  `select c.relname::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition and exists (
     select from pg_attribute a where a.attrelid = c.oid and a.attname = 'company_id')`,
  z.object({ name: z.string() }),
)

/** Creates a member with a history that contains a searchable text everywhere. */
async function known(secret: string, birthday = '1987-06-05') {
  const key = crypto.randomUUID()
  const input = newForm({
    firstName: `First${secret}`,
    lastName: `Last${secret}`,
    email: `mail${secret}@example.com`,
    petName: `Pet${secret}`,
    birthday,
    address: { country: 'HK', city: '810200', district: '810205', detail: `Street ${secret}` },
  })
  const member = memberIn(await call(shop, createCustomer, input, { token, key }))
  const { member_id: id } = await shop.database.transaction(shop.id, (tx) =>
    tx.one(readId, [shop.id, member.memberCode]),
  )
  const named = { id, memberCode: member.memberCode }
  await givePoints(shop, named, 700)
  await shop.send(id, receipt([['A', '120.00', 1]], { occurredAt: new Date().toISOString() }))
  const couponCode = await testCoupon(shop, named)
  const { memberCode } = member
  await ok(shop, redeemCoupon, { couponCode, memberCode }, { token })
  const changes = { firstName: `Second${secret}` }
  await ok(shop, updateCustomer, { memberCode, version: 1, changes }, { token })
  return { ...named, member, input, key, couponCode }
}

/** The tables whose rows contain a text. */
async function tablesWith(text: string): Promise<string[]> {
  return shop.database.transaction(shop.id, async (tx) => {
    const found: string[] = []
    for (const { name } of await tx.all(readTables, [])) {
      const rows = statement(
        `select 1 as one from "${name}" t where company_id = $1 and t::text ilike $2 limit 1`,
        z.object({ one: z.int() }),
      )
      if ((await tx.all(rows, [shop.id, `%${text}%`])).length > 0) found.push(name)
    }
    return found
  })
}

describe('the export of one member', () => {
  test('has all tables, and no other member’s data', async () => {
    const someoneElse = await known('Qwert')
    const { memberCode, member, couponCode } = await known('Zxcvb')
    const { code, stdout } = await run('export', memberCode)
    expect(code).toBe(0)
    expect(stdout).not.toContain('Qwert')
    expect(stdout).not.toContain(someoneElse.id)
    const exported = z.record(z.string(), z.unknown()).parse(JSON.parse(stdout))
    expect(exported).toMatchObject({
      company: shop.identifier,
      memberCode,
      member: [
        { first_name: 'SecondZxcvb', birthday: '1987-06-05', card_number: member.cardNumber },
      ],
      consent: [{ kind: 'terms' }, { kind: 'marketing' }],
      coupon: [{ coupon_code: couponCode }],
      coupon_redemption: [{ coupon_code: couponCode }],
      transaction: [{ net_spend: 120 }],
      transaction_item: [{ sku_code: 'A' }],
      point_account: [{ balance: 820 }],
    })
    // Every table with their data was exported, except the stored answers, which are kept for 48
    // hours.
    const tables = (await tablesWith('Zxcvb')).filter((name) => name !== 'operation')
    expect(Object.keys(exported)).toEqual(expect.arrayContaining(tables))
    const unknown = await run('export', 'NOBODY')
    expect([unknown.code, unknown.stderr]).toEqual([
      1,
      `${shop.identifier} has no member "NOBODY"\n`,
    ])
  })
})

describe('an erased member', () => {
  test('is found nowhere, but their amounts remain', async () => {
    const { id, memberCode, member, input, key, couponCode } = await known('Hjklm', '1976-05-04')
    expect((await tablesWith('Hjklm')).length).toBeGreaterThan(1)
    const before = await shop.entries(id)
    const { code, stdout } = await run('erase', memberCode, '--yes')
    expect([code, stdout]).toEqual([
      0,
      `${memberCode} is erased; receipts, points and coupons keep their amounts\n`,
    ])
    for (const word of [
      'Hjklm',
      memberCode,
      member.cardNumber,
      String(input['mobile']),
      '1976-05-04',
    ]) {
      expect([word, await tablesWith(word)]).toEqual([word, []])
    }
    const { cardNumber, uniCustomerNo, email, countryCode, mobile } = member
    for (const query of [
      { code: memberCode },
      { cardNumber },
      { uniCustomerNo },
      { email },
      { countryCode, mobile },
      { code: 'ERASED' },
    ]) {
      expect((await call(shop, getOneCustomer, query, { token })).code).toBe(111102)
    }
    expect((await call(shop, pointHistory, { memberCode }, { token })).code).toBe(111102)
    expect(await shop.entries(id)).toEqual(before)
    expect((await shop.totals(id, '2030-01-01')).earned).toBe(820)
    expect(await shop.violations()).toEqual([])
    const detail = await ok(shop, couponCodeDetail, { couponCode }, { token })
    expect(detail.member).toEqual({ memberCode: 'ERASED', firstName: '', lastName: '' })
    // A repeat of the registration reveals nothing and creates no member.
    const repeat = await call(shop, createCustomer, input, { token, key })
    expect(repeat).toMatchObject({ code: 111102, data: null })
    // They may register again as a new member.
    const back = memberIn(await call(shop, createCustomer, input, { token }))
    expect(back.memberCode).not.toBe(memberCode)
  })

  test('is erased only with --yes or an answer, after a list of what will go', async () => {
    const { memberCode } = await known('Asdfg')
    const asked = await run('erase', memberCode)
    expect(asked).toMatchObject({ code: 1, stdout: '' })
    expect(asked.stderr).toContain(`Erasing member ${memberCode} of ${shop.identifier} removes:\n`)
    expect(asked.stderr).toMatch(/first name, last name, .*mobile number, e-mail address/)
    expect(asked.stderr).toContain('5 keys: member code')
    expect(asked.stderr).toContain('Nothing was erased. Add --yes')
    expect(asked.stderr).not.toContain('Asdfg')
    expect(await run('find', memberCode)).toMatchObject({ code: 0 })
    const done = await run('erase', memberCode, '--yes')
    expect(done).toMatchObject({
      code: 0,
      notices: expect.stringContaining('Recorded as done by Ann Lee\n'),
    })
    expect(done.stderr).toContain('5 keys: member code')
  })

  test('takes every reason and note along, but not the reason of the erasure', async () => {
    const { id, memberCode } = await known('Poiuy')
    const { identifier } = shop
    const adjust = ['--member', memberCode, '--points', '5', '--type', 'adjustmentUp']
    await tillside(
      'points',
      'adjust',
      '--company',
      identifier,
      ...adjust,
      '--reason',
      'a gift for Lkjhg',
    )
    const coupon = await testCoupon(shop, { id })
    await tillside('coupon', 'void', identifier, coupon, '--reason', 'given twice to Lkjhg')
    await tillside('member', 'export', identifier, memberCode, '--reason', 'asked by Lkjhg')
    const used = await testCoupon(shop, { id })
    await ok(shop, redeemCoupon, { couponCode: used, memberCode }, { token })
    const undo = { couponCode: used, memberCode, reason: 'wrong coupon of Lkjhg' }
    await ok(shop, cancelCouponRedeem, undo, { token })
    expect((await tablesWith('Lkjhg')).sort()).toEqual([
      'audit',
      'coupon',
      'coupon_redemption',
      'point_entry',
    ])
    const { stderr } = await run('erase', memberCode, '--yes')
    expect(stderr).toContain('2 reasons of voided and returned coupons')
    expect(await tablesWith('Lkjhg')).toEqual([])
    expect(await tablesWith('asked by letter 17')).toEqual(['audit'])
    expect(await shop.violations()).toEqual([])
  })

  test('is not named in the reason, which is kept', async () => {
    const { memberCode } = await known('Bnmvc')
    const words = ['member', 'erase', shop.identifier, memberCode, '--yes', '--reason']
    const { code, stderr } = await tillside(...words, 'LastBnmvc wrote a letter')
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('must not contain the member’s name'),
    ])
  })

  test('has no message left in the outbox', async () => {
    // A code that was not sent yet, to a customer who then registered without it.
    await ok(shop, sendEmailCaptcha, { email: 'mailVbnmq@example.com' }, { token })
    const { memberCode } = await known('Vbnmq')
    expect(await tablesWith('mailVbnmq')).toContain('message')
    await run('erase', memberCode, '--yes')
    expect(await tablesWith('mailVbnmq')).toEqual([])
  })

  test('is reported as erased the second time', async () => {
    const { memberCode } = await known('Tyuio')
    await run('erase', memberCode, '--yes')
    const again = await run('erase', memberCode, '--yes', '--json')
    expect(again.code).toBe(0)
    expect(JSON.parse(again.stdout)).toEqual({
      outcome: 'erasedBefore',
      at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T/),
    })
    const unknown = await run('erase', 'NOBODY', '--yes')
    expect([unknown.code, unknown.stderr]).toEqual([
      1,
      `${shop.identifier} has no member "NOBODY"\n`,
    ])
  })
})

test('erases the hand-over notes that name the member, and no others', async () => {
  const secret = crypto.randomUUID().slice(0, 8)
  const { memberCode, member } = await known(secret)
  const mobile = member.mobile ?? ''
  const naming = [
    `last${secret} alone is no whole name`,
    `Please call Second${secret} Last${secret} at 15:00`,
    `last${secret} second${secret} collects the beans`,
    `call ${mobile.slice(0, 4)} ${mobile.slice(4)}`,
    `mail${secret}@example.com waits for an answer`,
    `card of ${memberCode.toLowerCase()} is at the till`,
  ]
  for (const text of naming) await ok(shop, writeShiftNote, { text }, { token })
  const shown = await run('erase', memberCode)
  expect(shown.stdout + shown.stderr).toContain('5 hand-over notes that name the member')
  await run('erase', memberCode, '--yes')
  const { items } = await ok(shop, listShiftNotes, {}, { token })
  expect(items.map(({ text }) => text)).toEqual([naming[0]])
})
