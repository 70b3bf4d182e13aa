import { randomUUID } from 'node:crypto'
import type { Endpoint } from '@tillside/contract/wire/endpoint'
import { getPermission } from '@tillside/contract/company'
import { getCustomerCoupons } from '@tillside/contract/coupon'
import { endpoints } from '@tillside/contract/endpoints'
import { type IntegrationEndpoint } from '@tillside/contract/integration/endpoint'
import { integrationEndpoints } from '@tillside/contract/integration/endpoints'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '../app.ts'
import type { CallTargets } from '../testing/hostile/calls.ts'
import {
  type Answer,
  call,
  logIn,
  ok,
  type TestCompany,
  shortcuts,
} from '../testing/factories/company.ts'
import { contentsOf } from '../testing/contents.ts'
import { callWithKey, type KeyAnswer, testKey } from '../testing/factories/key.ts'
import {
  companyWithOwnCodes,
  type Known,
  knownOf,
  unknownValues,
  pathsOf,
  replaced,
  newContact,
} from '../testing/hostile/known.ts'
import { counterNameOf, keyCalls, keyPathOf, keySamplesOf } from '../testing/hostile/key-calls.ts'
import { samplesOf } from '../testing/hostile/samples.ts'
import { type RecordedDatabase, recordStatements } from '../testing/recorded-statements.ts'

// An id of another company must be answered exactly like an id that does not exist: the same answer
// from the same statements, and no change in either company. Every field of the contract is listed
// below, so the test fails for a new field until it is classified.
let company: TestCompany
let other: TestCompany
let mine: Known
let theirs: Known
let things: CallTargets
let watch: RecordedDatabase
let seen: Pick<TestCompany, 'app'>
let token: string
let key: string
beforeAll(async () => {
  const who = newContact()
  company = await companyWithOwnCodes('OURS')
  other = await companyWithOwnCodes('THEIRS')
  ;({ known: mine, things } = await knownOf(company, 'OURS', who))
  theirs = (await knownOf(other, 'THEIRS', who)).known
  watch = recordStatements(company.database)
  seen = { app: await createApp(watch.database, pino({ level: 'silent' }), shortcuts) }
  // The first login of an address stores a row, which needs more statements.
  await logIn({ ...company, ...seen })
  token = await logIn(company)
  // The first call of a session or of a key reads more than the next ones.
  await ok(seen, getPermission, {}, { token })
  // The first list of coupons reads their definitions.
  await ok(seen, getCustomerCoupons, { memberCode: mine.memberCode }, { token })
  key = (await testKey(company)).key
  await callWithKey(seen, integrationEndpoints.readMember, { memberCode: mine.memberCode }, key)
})
afterAll(async () => {
  await seen.app.close()
  await company.close()
  await other.close()
})

/** Fields with an id of an existing row; another company's id must be unknown. */
const references: Record<string, readonly string[]> = {
  login: ['account'],
  noPasswordLogin: ['accessToken'],
  validateMobileCaptcha: ['mobile'],
  validateEmailCaptcha: ['email'],
  getOneCustomer: ['cardNumber', 'mobile', 'code', 'uniCustomerNo', 'email'],
  createCustomer: ['mobileVerification', 'emailVerification'],
  previewPoints: ['memberCode', 'giftId', 'couponId'],
  redeemPoints: ['memberCode', 'giftId'],
  cancelPoints: ['memberCode', 'entryId'],
  issueCoupon: ['memberCode', 'couponId'],
  issueCouponByPoints: ['memberCode', 'couponId'],
  couponCodeDetail: ['couponCode'],
  redeemCoupon: ['memberCode', 'couponCode'],
  cancelCouponRedeem: ['memberCode', 'couponCode'],
  batchRedeemCoupons: ['memberCode', 'couponCodes'],
  listTransactions: ['memberCode', 'invoiceNumber'],
  transactionDetail: ['memberCode', 'invoiceNumber'],
  operationStatus: ['key'],
  readShiftNote: ['noteId'],
  readMember: ['memberCode'],
  findMember: ['mobile', 'cardNumber', 'email', 'memberCode', 'uniCustomerNo', 'couponCode'],
  calculateTransaction: ['memberCode', 'storeCode', 'original.invoiceNumber'],
  postTransactions: ['items.memberCode', 'items.storeCode', 'items.original.invoiceNumber'],
  postPoints: ['items.memberCode', 'items.storeCode'],
  postMembers: ['items.registrationStore'],
}
for (const name of [
  'updateCustomer',
  'resignTnc',
  'listConsents',
  'revealContact',
  'membershipInfo',
  'explainTier',
  'pointHistory',
  'explainPoints',
  'listGifts',
  'getCustomerCoupons',
  'getStoreAssignedCoupons',
]) {
  references[name] = ['memberCode']
}
/** Fields that name a new row; another company may use the same name. */
const given = new Set([
  'sendMobileCaptcha mobile',
  'sendEmailCaptcha email',
  'createCustomer mobile',
  'createCustomer email',
  'updateCustomer changes.mobile',
  'updateCustomer changes.email',
  'postMembers items.memberCode',
  'postMembers items.cardNumber',
  'postMembers items.uniCustomerNo',
  'postMembers items.mobile',
  'postMembers items.email',
  'postTransactions items.invoiceNumber',
  'calculateTransaction invoiceNumber',
  'postPoints items.operationId',
])
/** Free text and receipt data: stored, never used to find a row. */
const words = new Set([
  'redeemCoupon invoiceNumber',
  'batchRedeemCoupons invoiceNumber',
  'redeemPoints invoiceNumber',
  'redeemPoints openSale',
  'previewPoints invoiceNumber',
  'previewPoints openSale',
  'postPoints items.invoiceNumber',
  'postTransactions items.coupons.code',
  'calculateTransaction coupons.code',
  'writeShiftNote text',
])
// A key names the fields of the counter's calls alike.
for (const [name, endpoint] of keyCalls) {
  const counterName = counterNameOf(endpoint)
  if (counterName === null) continue
  references[name] = (references[counterName] ?? []).map(keyPathOf)
  for (const fields of [given, words]) {
    for (const field of fields) {
      const [of, path = ''] = field.split(' ')
      if (of === counterName) fields.add(`${name} ${keyPathOf(path)}`)
    }
  }
}
/** Fields that never contain an id. */
const plain = `identifier password originPassword newPassword confirm_password xcrmIdentifier
  language types parent codes countryCode captcha firstName lastName gender birthday address
  tncVersion marketingOptIn consentLanguage country province city district detail version changes
  field from to cursor pageSize kind quantity expectedBalance points transactionAmount reason status
  date items source sales invoiceType occurredAt totalAmount orderDiscount netSpend coupons original
  skuCode skuName price total discount spend name value registrationDate customFields consent at
  type by after limit changedSince since advanceTo`.split(/\s+/)

const isPlain = (path: string) => plain.includes(path.split(/[ .]/).at(-1) ?? '')

type Anywhere = Endpoint | IntegrationEndpoint
const all = Object.entries<Anywhere>({ ...endpoints, ...integrationEndpoints })
const cases = Object.entries(references).flatMap(([name, paths]) =>
  paths.map((path) => [name, path] as const),
)

test('every field of every call is one of these', () => {
  const known = new Set([...cases.map((one) => one.join(' ')), ...given, ...words])
  const paths = all.flatMap(([name, endpoint]) => {
    const item = 'item' in endpoint && endpoint.item !== undefined ? endpoint.item : null
    const inItems = item === null ? [] : pathsOf({ input: item }).map((path) => `items.${path}`)
    return [...pathsOf(endpoint), ...inItems].map((path) => `${name} ${path}`)
  })
  expect(paths.filter((path) => !known.has(path) && !isPlain(path))).toEqual([])
  // Every listed field exists in the contract.
  expect([...known].filter((path) => !paths.includes(path))).toEqual([])
})

/** The answer, with the value under test replaced, and the statements that it needed. */
async function ask(name: string, input: unknown, mask: string) {
  const endpoint = all.find(([known]) => known === name)?.[1]
  if (endpoint === undefined) throw new Error(`${name} is no call`)
  watch.asked.length = 0
  const answer: Answer | KeyAnswer =
    'scope' in endpoint
      ? await callWithKey(seen, endpoint, input, key)
      : await call(seen, endpoint, input, { token, key: randomUUID() })
  // Each answer has its own id and ETag.
  const told =
    'problem' in answer ? { ...answer.problem, requestId: '', data: answer.data } : answer
  const text = JSON.stringify(told).replaceAll(mask, '…')
  // The audit rows of look-ups are written in the background.
  const asked = watch.asked.filter(
    (statement) =>
      !/^insert into (audit|look_up) /.test(statement) && !statement.includes('app.sights'),
  )
  return { text, answer, asked }
}

/** The tables that a refusal writes: idempotency keys and login attempts. */
const kept = ['operation', 'login_throttle', 'login_device']
const effects = async () => [await contentsOf(company, kept), await contentsOf(other, kept)]
/** A company's own value for the field at a path. */
const own = (known: object, path: string) =>
  String(Reflect.get(known, path.split('.').at(-1) ?? ''))

describe('an id of another company is an unknown id', () => {
  test.each(cases)('for %s as %s', async (name, path) => {
    const unknowns = unknownValues(other)
    let tried = 0
    const samples = keyCalls.some(([one]) => one === name) ? keySamplesOf : samplesOf
    for (const sample of samples(name, company, mine, things)) {
      const [foreign, unknown] = [own(theirs, path), own(unknowns, path)]
      const input = replaced(sample, path, foreign)
      if (!JSON.stringify(input).includes(foreign)) continue
      tried += 1
      const before = await effects()
      const answerToForeign = await ask(name, input, foreign)
      expect(await effects()).toEqual(before)
      const answerToUnknown = await ask(name, replaced(sample, path, unknown), unknown)
      expect(answerToForeign.text).toBe(answerToUnknown.text)
      // The same statements, so that response times do not differ either.
      expect(answerToForeign.asked).toEqual(answerToUnknown.asked)
      const isUnknown =
        /"code":(1\d{5}\b|"\w+(Unknown|Missing|Changed|OtherMember|Cancellable|Refused)")/
      expect(answerToForeign.text).toMatch(refusals[name] ?? isUnknown)
    }
    expect(tried).toBeGreaterThan(0)
  })
})

/** Calls that do not answer an unknown id with a refusal. */
const refusals: Record<string, RegExp> = {
  readTransactions: /"memberUnknown"|"items":\[\]/,
  listTransactions: /"code":(111102|0,.*"items":\[\])/,
  operationStatus: /"state":"unknown","answer":null/,
  readShiftNote: /"code":0,/,
  batchRedeemCoupons: /"code":111102|"reason":"couponUnknown"/,
  calculateTransaction: /"reason":"(member|store|original)Unknown"/,
  postTransactions: /"reason":"(memberUnknown|storeUnknown|originalUnknown)"/,
  postPoints: /"reason":"(memberUnknown|storeUnknown)"/,
  postMembers: /"reason":"storeUnknown"/,
}
