import type * as z from 'zod/mini'
import type { Receipt } from '../receipt.ts'
import type { integrationEndpoints } from './endpoints.ts'
import type { ProblemName } from './problems.ts'

// The requests that the documentation shows: one that succeeds and one that is refused for each
// call. Sent in this order to a new company `aurora`, they are a story: a member joins, gets points
// and coupons, buys, and brings goods back. `examples.test.ts` sends them and checks the answers
// that the documentation prints.

type Endpoints = typeof integrationEndpoints
type Example<K extends keyof Endpoints> = {
  input: z.input<Endpoints[K]['input']>
  /** A request that is refused after the one that succeeds. */
  refused: { input: Record<string, unknown>; code: ProblemName }
}

/** The day of the story, of the company's calendar. */
export const exampleDay = '2026-11-23'
/** The store of the calls that act in one. */
export const exampleStore = 'NY001'
/** The codes of coupons that the member has from the beginning, by their definitions. */
export const exampleCoupons = { WELCOME: 'K7WQ2M9XRT4C', BIRTHDAY: 'P3NDH8VYTG6J' } as const

/** The id of the entry of `spendPoints`, which `cancelSpending` names. */
export const exampleEntry = '019a5c1e-7c00-7000-8000-000000000001'
/** The member who owns the coupons. */
export const exampleMember = 'WEB70001'

const memberCode = exampleMember
const couponCode = exampleCoupons.WELCOME
const nobody = { memberCode: 'NOBODY' }
const shop = { source: 100000029, memberCode, storeCode: exampleStore }
const mug = { skuCode: 'MUG-1', skuName: 'Mug', price: '16.00' }
const invoiceNumber = 'WS-2026-000123'
const sale: z.input<typeof Receipt> = {
  invoiceNumber,
  ...shop,
  status: 'completed',
  invoiceType: 'sale',
  occurredAt: `${exampleDay}T15:04:05Z`,
  totalAmount: '48.00',
  orderDiscount: '3.00',
  netSpend: '45.00',
  items: [
    {
      skuCode: 'BEAN-250',
      skuName: 'House beans 250 g',
      price: '16.00',
      quantity: '2',
      total: '32.00',
      discount: '2.00',
      spend: '30.00',
    },
    { ...mug, quantity: '1', total: '16.00', discount: '1.00', spend: '15.00' },
  ],
  coupons: [{ code: couponCode, name: 'Welcome, 3.00 off', value: '3.00', quantity: 1 }],
}
const returned: z.input<typeof Receipt> = {
  invoiceNumber: 'WS-2026-000124',
  ...shop,
  status: 'completed',
  invoiceType: 'return',
  occurredAt: `${exampleDay}T16:10:00Z`,
  totalAmount: '-16.00',
  orderDiscount: '-1.00',
  netSpend: '-15.00',
  items: [{ ...mug, quantity: '-1', total: '-16.00', discount: '-1.00', spend: '-15.00' }],
  original: { invoiceNumber, source: shop.source },
}
const ada = {
  memberCode,
  uniCustomerNo: 'UWEB70001',
  cardNumber: '7000000070001',
  firstName: 'Ada',
  lastName: 'Miller',
  countryCode: '1',
  mobile: '2015550199',
  email: 'ada.miller@example.com',
  registrationStore: exampleStore,
  consent: { version: '2026-03', language: 'en-US', at: `${exampleDay}T00:30:00Z` },
} as const
const kim = {
  firstName: 'Kim',
  lastName: 'Lee',
  countryCode: '1',
  mobile: '2015550123',
  favouriteRoast: 'dark',
  tncVersion: '2026-03',
  marketingOptIn: true,
}
const towardsSale = {
  memberCode,
  kind: 'transaction',
  points: 500,
  transactionAmount: '45.00',
  invoiceNumber,
} as const

/** By the names of the calls, in the order of the story. */
export const examples: { [K in keyof Endpoints]: Example<K> } = {
  postMembers: {
    input: {
      items: [ada, { ...ada, memberCode: 'WEB70002', uniCustomerNo: 'UWEB70002', email: null }],
    },
    refused: { input: { items: [] }, code: 'invalid' },
  },
  findMember: {
    input: { countryCode: '1', mobile: '2015550199' },
    refused: { input: { countryCode: '1', mobile: '2015550100' }, code: 'memberUnknown' },
  },
  readMember: { input: { memberCode }, refused: { input: nobody, code: 'memberUnknown' } },
  registerMember: {
    input: kim,
    refused: { input: { ...kim, firstName: 'Kimberly' }, code: 'contactTaken' },
  },
  updateMember: {
    input: { memberCode, version: 1, lastName: 'Miller-Ray', favouriteRoast: 'light' },
    refused: { input: { memberCode, version: 1, lastName: 'Ray' }, code: 'memberChanged' },
  },
  acceptTerms: {
    input: { memberCode, tncVersion: '2026-03', marketingOptIn: true },
    refused: {
      input: { memberCode, tncVersion: '2025-01', marketingOptIn: true },
      code: 'invalid',
    },
  },
  readConsents: { input: { memberCode }, refused: { input: nobody, code: 'memberUnknown' } },
  postPoints: {
    input: {
      items: [
        {
          operationId: 'CASE-4711',
          memberCode,
          type: 'specialAdd',
          points: 5000,
          reason: 'Won the tasting of the month',
        },
      ],
    },
    refused: { input: { item: [] }, code: 'invalid' },
  },
  readCoupons: {
    input: { memberCode, status: 'ISSUED' },
    refused: { input: { memberCode, status: 'NEW' }, code: 'invalid' },
  },
  checkCoupon: {
    input: { couponCode },
    refused: { input: { couponCode: 'K7WQ2M9XRT4D' }, code: 'couponUnknown' },
  },
  calculateTransaction: {
    input: sale,
    refused: { input: { ...sale, netSpend: '45' }, code: 'invalid' },
  },
  redeemOneCoupon: {
    input: { couponCode, memberCode, invoiceNumber },
    refused: { input: { couponCode, memberCode }, code: 'couponUsed' },
  },
  previewSpending: {
    input: towardsSale,
    refused: { input: { ...towardsSale, points: 400 }, code: 'pointsBelowMinimum' },
  },
  spendPoints: {
    input: towardsSale,
    refused: {
      input: { memberCode, kind: 'gift', giftId: 'G-TOTE', quantity: 1 },
      code: 'giftOutOfStock',
    },
  },
  undoRedemption: {
    input: { couponCode, memberCode, reason: 'The customer kept it' },
    refused: {
      input: { couponCode, memberCode, reason: 'Once more' },
      code: 'notCancellable',
    },
  },
  cancelSpending: {
    input: { memberCode, entryId: exampleEntry, reason: 'Paid in cash' },
    refused: {
      input: { memberCode, entryId: '019a5c1e-7c00-7000-8000-00000000000f', reason: 'A mistake' },
      code: 'notCancellable',
    },
  },
  postTransactions: {
    input: { items: [sale, returned] },
    refused: { input: {}, code: 'invalid' },
  },
  readTransactions: {
    input: { memberCode, limit: 1 },
    refused: { input: { memberCode, limit: 101 }, code: 'invalid' },
  },
  readTransaction: {
    input: { memberCode, invoiceNumber },
    refused: { input: { memberCode, invoiceNumber: 'WS-0' }, code: 'transactionUnknown' },
  },
  readIssuableCoupons: { input: { memberCode }, refused: { input: nobody, code: 'memberUnknown' } },
  issueCoupons: {
    input: { memberCode, couponId: 'BIRTHDAY', quantity: 1 },
    refused: {
      input: { memberCode, couponId: 'SOLD-OUT', quantity: 1 },
      code: 'couponOutOfStock',
    },
  },
  buyCoupons: {
    input: { memberCode, couponId: 'DRINK-FOR-POINTS', quantity: 1 },
    refused: {
      input: { memberCode, couponId: 'DRINK-FOR-POINTS', quantity: 10 },
      code: 'pointsAboveBalance',
    },
  },
  redeemCoupons: {
    input: { memberCode, couponCodes: [couponCode, exampleCoupons.BIRTHDAY] },
    refused: { input: { memberCode, couponCodes: [couponCode] }, code: 'couponsRefused' },
  },
  readGifts: { input: { memberCode }, refused: { input: nobody, code: 'memberUnknown' } },
  readPoints: { input: { memberCode }, refused: { input: nobody, code: 'memberUnknown' } },
  readPointHistory: {
    input: { memberCode, limit: 2 },
    refused: { input: { memberCode, after: 'none' }, code: 'invalid' },
  },
  readTier: { input: { memberCode }, refused: { input: nobody, code: 'memberUnknown' } },
  listMembers: {
    input: { changedSince: `${exampleDay}T00:00:00Z`, limit: 1 },
    refused: { input: { changedSince: 'yesterday' }, code: 'invalid' },
  },
  readPointReport: {
    input: { from: exampleDay, to: exampleDay },
    refused: { input: { from: exampleDay, to: '2026-01-01' }, code: 'invalid' },
  },
  readEvents: {
    input: { limit: 2 },
    refused: { input: { limit: 2, since: 'yesterday' }, code: 'invalid' },
  },
  advanceTestClock: {
    input: { advanceTo: '2030-01-01T12:00:00Z' },
    refused: { input: { advanceTo: '2999-01-01T12:00:00Z' }, code: 'invalid' },
  },
}
