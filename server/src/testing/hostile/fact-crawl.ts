import { endpoints } from '@tillside/contract/endpoints'
import { redeemPoints } from '@tillside/contract/points'
import type { Endpoint } from '@tillside/contract/wire/endpoint'
import { type Permission, permissions } from '@tillside/contract/wire/permissions'
import {
  type Answer,
  call,
  logIn,
  ok,
  testCompany,
  type TestCompany,
} from '../factories/company.ts'
import { testCoupon } from '../factories/coupon.ts'
import { testMember } from '../factories/member.ts'
import { givePoints } from '../factories/points.ts'
import { testSale } from '../factories/receipt.ts'
import { testClerk } from '../factories/staff.ts'
import { testMobile } from '../verification.ts'
import { type CallTargets, callTargets, validInputs } from './calls.ts'

// Calls every endpoint about a member whose facts are texts that occur nowhere else, so that a test
// can find each fact in the answers.

const texts = (text: string) => ({ 'en-US': text })
const validity = { days: 30 }

/** A company with a group `but-…` and a group `only-…` for each permission. */
export async function factCompany(): Promise<FactCompany> {
  const company = await testCompany({
    groups: [
      { code: 'full', permissions: [...permissions], menus: ['member'] },
      { code: 'viewer', permissions: [], menus: ['member'] },
      { code: 'empty', permissions: [], menus: [] },
      ...permissions.flatMap((one) => [
        {
          code: `but-${one}`,
          permissions: permissions.filter((other) => other !== one),
          menus: ['member'],
        },
        { code: `only-${one}`, permissions: [one], menus: ['member'] },
      ]),
    ],
    tiers: [
      {
        code: 'zircon',
        names: texts('Zirconia Circle'),
        threshold: '0',
        renewThreshold: '0',
        multiplier: '1.375',
        benefits: { 'en-US': ['Zirconia lounge'] },
      },
      { code: 'zircon2', names: texts('Zirconia Ring'), threshold: '91234', renewThreshold: '1' },
    ],
    gifts: [
      { id: 'MUG', names: texts('Mug'), points: 50 },
      { id: 'PARASOL', names: texts('Striped parasol'), points: 60 },
    ],
    coupons: [
      {
        id: 'TREAT',
        names: texts('Treat'),
        descriptions: texts('Until the rain stops'),
        unionCode: 'UNION77',
        kind: 'gift',
        validity,
      },
      { id: 'LATTE', names: texts('Latte'), kind: 'gift', validity, pointsCost: 100 },
      { id: 'HIDDEN', names: texts('Umbrella'), kind: 'gift', validity },
      { id: 'SCONE', names: texts('Scone for free'), kind: 'gift', validity },
      { id: 'JAM', names: texts('Jam for points'), kind: 'gift', validity, pointsCost: 90 },
    ],
    points: {
      perUnit: '1',
      expiry: { kind: 'months', months: 12 },
      names: { singular: texts('point'), plural: texts('points') },
      exchange: { minimum: 100, maximum: 8989, increment: 1, pointValue: '0.0123', maxShare: null },
    },
  })
  return { ...company, targets: await callTargets(company) }
}

type FactCompany = TestCompany & { targets: CallTargets }

/** What a clerk got: the answer of every call about one member. */
export type Crawled = CallTargets & {
  /** A coupon of the member that no call names. */
  hiddenCode: string
  answers: Map<string, Answer>
}

// The calls that end the session, and those about a contact: their answers have no facts.
const left = new Set([
  'login',
  'logout',
  'noPasswordLogin',
  'changePassword',
  'sendMobileCaptcha',
  'validateMobileCaptcha',
  'sendEmailCaptcha',
  'validateEmailCaptcha',
  // It has the rules that the company gives to its customers, and no member's fact.
  'getRuleBook',
])

/** Creates a member with every fact, and calls every endpoint about it as a clerk of the group. */
export async function crawlFacts(company: FactCompany, groupCode: string): Promise<Crawled> {
  const detail = '9 Orchid Court'
  const member = await testMember(company, {
    address: { country: 'HK', province: null, city: null, district: null, detail },
    customFields: { petName: 'Marmalade' },
    ...testMobile(),
  })
  const { memberCode } = member
  const hiddenCode = await testCoupon(company, member, 0, 'HIDDEN')
  const couponCode = await testCoupon(company, member)
  await testSale(company, member)
  const invoiceNumber = await testSale(company, member)
  await givePoints(company, member, 7_654_500)
  const gift = { memberCode, kind: 'gift', giftId: 'MUG', quantity: 1 }
  const { entry } = await ok(company, redeemPoints, gift, { token: await logIn(company) })
  const names = { memberCode, couponCode, invoiceNumber, entryId: entry.id }
  const of = { ...company.targets, ...names }
  const inputs = {
    ...validInputs(of),
    getDictionary: { types: ['pointType', 'tier'] },
    getByCodes: { codes: ['points.exchange', 'tier.window', 'points.perUnit'] },
    pointHistory: { memberCode },
    getCustomerCoupons: { memberCode },
    listTransactions: { memberCode },
    staffActivity: {},
    storeActivity: {},
  }
  const token = await testClerk(company, groupCode, { groupCode })
  const answers = new Map<string, Answer>()
  for (const [name, endpoint] of Object.entries<Endpoint>(endpoints)) {
    if (left.has(name)) continue
    const input = Object.entries<object>(inputs).find(([known]) => known === name)?.[1]
    const contacts = name === 'createCustomer' ? { ...testMobile(), email: null } : {}
    answers.set(name, await call(company, endpoint, { ...input, ...contacts }, { token }))
  }
  return { ...of, hiddenCode, answers }
}

/** The member's facts as they appear in answers, by the permission that they need. */
export function factTexts({
  invoiceNumber,
  hiddenCode,
}: Crawled): Record<Permission, RegExp | null> {
  return {
    homeMembertier: /zircon|1\.375|91234/i,
    coupon: new RegExp(`${hiddenCode}|"ISSUED":`),
    // The balance begins with 7,654 throughout.
    point: /7,?654,?\d{3}|"affordable":(?:true|false)|"pointsEarned":\d/,
    transaction: new RegExp(`"${invoiceNumber}"|Goods TEA|25\\.00`),
    userInfo: /Orchid Court|Marmalade|"acceptedVersion"|"agreed":/,
    homeIssuecoupon: /Scone for free/,
    couponRedeem: /"redeemable":true/,
    couponView: /rain stops|UNION77/,
    register: null,
    pointRedeem: /Striped parasol/,
    pointExchange: /Jam for points|0\.0123|:8989\b/,
    scanQrCode: null,
    storeShift: /"clerks":/,
    homeMemberSearchByName: null,
  }
}

/** The calls whose answer passes the test. */
export function callsWith({ answers }: Crawled, has: (answer: Answer) => boolean): string[] {
  return [...answers].filter(([, answer]) => has(answer)).map(([name]) => name)
}

/** The calls whose answer has the text. */
export function callsShowing(crawled: Crawled, text: RegExp | null): string[] {
  return callsWith(crawled, (answer) => text !== null && text.test(JSON.stringify(answer)))
}

/** The calls that each permission allows alone or with others; the crawl makes all of them. */
export const guardedCalls: Record<Permission, string[]> = {
  homeMembertier: ['listTiers', 'explainTier'],
  coupon: ['getCustomerCoupons'],
  point: ['pointHistory', 'explainPoints'],
  transaction: ['listTransactions', 'transactionDetail'],
  userInfo: ['updateCustomer', 'resignTnc', 'listConsents'],
  homeIssuecoupon: ['issueCoupon'],
  couponRedeem: ['redeemCoupon', 'cancelCouponRedeem', 'batchRedeemCoupons'],
  couponView: [],
  register: ['createCustomer'],
  pointRedeem: ['listGifts', 'previewPoints', 'redeemPoints', 'cancelPoints'],
  pointExchange: ['issueCouponByPoints'],
  scanQrCode: [],
  storeShift: ['storeActivity'],
  homeMemberSearchByName: ['searchByName'],
}
