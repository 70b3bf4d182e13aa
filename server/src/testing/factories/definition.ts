import type { Language } from '@tillside/contract/wire/language'
import { permissions } from '@tillside/contract/wire/permissions'
import * as z from 'zod/mini'
import { Definition } from '../../company/definition.ts'
import { testRegister } from './register-form.ts'

/** The same text in two languages; the Chinese text has a suffix. */
function texts(text: string): Partial<Record<Language, string>> {
  return { 'en-US': text, 'zh-HK': `${text}（港）` }
}

const coupons: z.input<typeof Definition>['coupons'] = [
  {
    id: 'TREAT',
    names: texts('Birthday treat'),
    descriptions: texts('Any pastry on us'),
    kind: 'gift',
    validity: { days: 30 },
  },
  {
    id: 'TEN',
    names: texts('Ten off'),
    kind: 'amount',
    value: '10.00',
    validity: { days: 30 },
    redeemStores: ['S2'],
  },
  {
    id: 'LATTE',
    names: texts('A latte'),
    kind: 'gift',
    validity: { days: 30 },
    pointsCost: 100,
  },
]

/** No limits on what one clerk does. */
export const noAllowances = {
  lookUps: null,
  couponsRedeemed: null,
  couponsIssued: null,
  pointRedemptions: null,
  pointsSpent: null,
  undone: null,
} satisfies z.input<typeof Definition>['allowances']

/** A small company with one of everything; its time zone is Hong Kong's. */
export function testDefinition(
  identifier: string,
  changes: Partial<z.input<typeof Definition>> = {},
): Definition {
  return Definition.parse({
    identifier,
    names: texts('Test Company'),
    titles: texts('Test Counter'),
    color: '#00704a',
    logo: 'logo.svg',
    languages: ['en-US', 'zh-HK'],
    timeZone: 'Asia/Hong_Kong',
    layout: {
      tierProgressStyle: 'displayNextTierOnly',
      transactionItemStyle: 'separateScreen',
    },
    menus: [
      { id: 'member', identifier: 'member', url: '/member', names: texts('Member'), sort: 1 },
    ],
    profileFields: { shown: ['gender', 'birthday'], editable: ['firstName'] },
    register: testRegister,
    callingCodes: ['852', '86'],
    // A test repeats more in seconds than a clerk does in a day.
    allowances: noAllowances,
    // Tests compare contacts; `update.test.ts` tests the masks.
    maskContacts: false,
    tierRules: { window: 'rolling12Months', validityMonths: 12 },
    points: {
      perUnit: '1',
      expiry: { kind: 'months', months: 12 },
      names: { singular: texts('point'), plural: texts('points') },
    },
    terms: { version: '2', titles: texts('Terms'), bodies: texts('Be kind.') },
    stores: [
      { code: 'S1', name: 'Harbour City' },
      { code: 'S2', name: 'Times Square' },
      { code: 'S9', name: 'Closed Store', active: false },
    ],
    groups: [
      { code: 'full', permissions: [...permissions], menus: ['member'] },
      {
        code: 'viewer',
        permissions: ['homeMembertier', 'coupon', 'couponView'],
        menus: ['member'],
      },
      { code: 'empty', permissions: [], menus: [] },
    ],
    tiers: [
      { code: 'associate', names: texts('Associate'), threshold: '0', renewThreshold: '0' },
      { code: 'green', names: texts('Green'), threshold: '1000', renewThreshold: '800' },
      { code: 'gold', names: texts('Gold'), threshold: '3250', renewThreshold: '3000' },
    ],
    gifts: [{ id: 'MUG', names: texts('Mug'), descriptions: texts('Holds coffee'), points: 50 }],
    coupons,
    ...changes,
  })
}
