import { findMember, postMembers, readMember } from '@tillside/contract/integration/members'
import { getOneCustomer } from '@tillside/contract/member'
import { addDays } from '@tillside/contract/rules/day'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { eraseMember } from '../member/erase.ts'
import { logIn, ok } from '../testing/factories/company.ts'
import { testCoupon } from '../testing/factories/coupon.ts'
import { callWithKey, sendItems, testKey, itemResult } from '../testing/factories/key.ts'
import { testMember } from '../testing/factories/member.ts'
import { receipt } from '../testing/factories/receipt.ts'
import { type Shop, testShop } from '../testing/factories/shop.ts'

const field = (name: string) => ({
  name,
  labels: { 'en-US': name, 'zh-HK': name },
  type: 'text' as const,
})

const option = (code: string) => ({ code, names: { 'en-US': code, 'zh-HK': code } })

describe('members of other systems', () => {
  let s: Shop
  let key: string
  const send = (...items: unknown[]) => sendItems(s, postMembers, items, key)

  beforeAll(async () => {
    const verification = { mobile: false, email: false }
    s = await testShop({ register: { fields: [field('petName')], verification } })
    key = (await testKey(s)).key
  })
  afterEach(async () => {
    expect(await s.violations()).toEqual([])
  })
  afterAll(() => s.close())

  let number = 0
  const member = (changes: object = {}) => {
    number += 1
    const code = `WEB${number}`
    const named = { memberCode: code, uniCustomerNo: `U${code}`, cardNumber: `C${code}` }
    return { ...named, firstName: 'Mei', ...changes }
  }

  const whole = (changes: object = {}) =>
    member({
      lastName: 'Chan',
      countryCode: '852',
      mobile: `5111${String(number).padStart(4, '0')}`,
      customFields: { size: 'S' },
      ...changes,
    })

  it('makes members whom the counter finds, and makes each once', async () => {
    const profile = {
      ...member(),
      lastName: 'Chan',
      gender: 'F',
      birthday: '1990-02-28',
      countryCode: '852',
      mobile: '51110001',
      email: 'Mei.Chan@example.com',
      address: { country: 'US', city: 'New York' },
      registrationDate: '2026-02-03',
      registrationStore: 'S1',
      marketingOptIn: true,
      customFields: { petName: 'Wawa' },
    }
    const consent = { version: '2', language: 'zh-HK', at: '2026-02-03T04:05:06Z' }
    const items = [{ ...profile, consent }, member()]
    expect(await send(...items)).toMatchObject({ created: 2, refused: 0 })
    expect(await send(...items)).toMatchObject({ unchanged: 2, created: 0, refused: 0 })
    const token = await logIn(s)
    const found = await ok(s, getOneCustomer, { email: 'mei.chan@example.com' }, { token })
    expect(found).toMatchObject({
      ...profile,
      registrationStore: { code: 'S1' },
      tnc: { acceptedVersion: '2', needsResign: false },
    })
  })

  it('says of each wrong member what is wrong, and takes the others', async () => {
    const first = member({ countryCode: '852', mobile: '51110002', email: 'a@example.com' })
    const elsewhere = await testMember(s)
    const pairs: [unknown, string][] = [
      [first, 'created'],
      [{ ...first, firstName: 'May' }, 'changed memberCode:changed'],
      [member({ memberCode: elsewhere.memberCode }), 'changed memberCode:changed'],
      [member({ cardNumber: first.cardNumber }), 'taken cardNumber:taken'],
      [member({ email: 'A@example.com' }), 'taken email:taken'],
      [member({ countryCode: '852', mobile: '51110002' }), 'taken mobile:taken'],
      [member({ mobile: '51110003' }), 'invalid countryCode:required'],
      [member({ email: 'nobody' }), 'invalid email:format'],
      [member({ memberCode: 'a-b' }), 'invalid memberCode:format'],
      [member({ birthday: '2025-02-29' }), 'invalid birthday:format'],
      [member({ firstName: '' }), 'invalid firstName:required'],
      [member({ registrationStore: 'S7' }), 'storeUnknown registrationStore:storeUnknown'],
      [
        member({ customFields: { shoeSize: '38' } }),
        'fieldUnknown customFields.shoeSize:fieldUnknown',
      ],
      [member({ customFields: { petName: 7 } }), 'fieldInvalid customFields.petName:fieldInvalid'],
      [member({ address: { city: 'Nowhere' } }), 'fieldInvalid address.country:fieldInvalid'],
      [
        member({ address: { country: 'CN', province: 'Paris' } }),
        'fieldInvalid address.province:fieldInvalid',
      ],
      [member({ vip: true }), 'invalid vip:unknownField'],
      [null, 'invalid :wrongType'],
      [member(), 'created'],
    ]
    const { items } = await send(...pairs.map(([item]) => item))
    expect(items.map(itemResult)).toEqual(pairs.map(([, told]) => told))
  })

  it('holds a till to the register form', async () => {
    const required = { required: true }
    const strict = await testShop({
      birthdayMinAge: 16,
      register: {
        fields: [
          { ...field('firstName'), maxLength: 10 },
          { ...field('lastName'), ...required },
          { ...field('mobile'), type: 'mobile', ...required },
          { ...field('size'), type: 'select', options: [option('S')], ...required },
        ],
        verification: { mobile: false, email: false },
      },
    })
    const { key: theirs } = await testKey(strict)
    const today = new Date().toISOString().slice(0, 10)
    const tomorrow = addDays(today, 2)
    const pairs: [unknown, string][] = [
      [whole(), 'created'],
      [whole({ lastName: '' }), 'fieldInvalid lastName:required'],
      [whole({ countryCode: null, mobile: null }), 'fieldInvalid mobile:required'],
      [whole({ mobile: '1234' }), 'fieldInvalid mobile:format'],
      [whole({ customFields: {} }), 'fieldInvalid customFields.size:required'],
      [whole({ firstName: 'Mei Mei Mei' }), 'fieldInvalid firstName:tooLong'],
      // The form does not ask for it, but the company has a least age.
      [whole({ birthday: addDays(today, -5000) }), 'fieldInvalid birthday:tooYoung'],
      [whole({ birthday: tomorrow }), 'fieldInvalid birthday:future'],
      [whole({ registrationDate: tomorrow }), 'fieldInvalid registrationDate:future'],
      [whole({ registrationDate: '1969-12-31' }), 'fieldInvalid registrationDate:notAllowed'],
      [whole({ birthday: '1980-01-01', email: 'a.b@example.com' }), 'created'],
    ]
    const answer = await sendItems(
      strict,
      postMembers,
      pairs.map(([item]) => item),
      theirs,
    )
    expect(answer.items.map(itemResult)).toEqual(pairs.map(([, told]) => told))
    await strict.close()
  })

  it('makes nobody anew who was erased', async () => {
    const item = member()
    expect(await send(item)).toMatchObject({ created: 1 })
    await s.database.transaction(s.id, (tx) => eraseMember(tx, s, item.memberCode))
    const { items } = await send(item, member({ memberCode: item.memberCode.toLowerCase() }))
    expect(items.map(itemResult)).toEqual(['erased memberCode:erased', 'erased memberCode:erased'])
  })

  it('finds no member by the coupon of an erased one', async () => {
    const { id, memberCode } = await testMember(s)
    const couponCode = await testCoupon(s, { id })
    const byCoupon = () => callWithKey(s, findMember, { couponCode }, key)
    expect((await byCoupon()).data).toMatchObject({ member: { memberCode } })
    await s.database.transaction(s.id, (tx) => eraseMember(tx, s, memberCode))
    expect(await byCoupon()).toMatchObject({ status: 404, code: 'memberUnknown' })
  })

  it('makes one of many at once', async () => {
    const items = [member(), member()]
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(...items)))
    expect(answers.reduce((sum, a) => sum + a.created, 0)).toBe(2)
    expect(answers.reduce((sum, a) => sum + a.unchanged, 0)).toBe(14)
  })

  it('reads a member with tier and points', async () => {
    const { id, memberCode } = await testMember(s)
    await s.send(id, receipt([['A', '1200.00', 1]], { occurredAt: new Date().toISOString() }))
    const answer = await callWithKey(s, readMember, { memberCode: memberCode.toLowerCase() }, key)
    expect(readMember.data.parse(answer.data)).toMatchObject({
      member: { memberCode, firstName: 'Mei', tier: { code: 'green' } },
      tier: { code: 'green', gradeSpend: '1200.00', gapToNextTier: '2050.00' },
      points: { balance: 1200, valid: 1200 },
    })
    expect(await callWithKey(s, readMember, { memberCode: 'NOBODY' }, key)).toMatchObject({
      status: 404,
      code: 'memberUnknown',
    })
    const answerToText = await callWithKey(s, readMember, { memberCode: 'a/b' }, key)
    expect(answerToText.problem).toMatchObject({
      type: '/integration/v1/problems/invalid',
      title: 'Invalid',
      status: 422,
      errors: [{ path: 'memberCode', code: 'format' }],
    })
  })
})
