import { maxQuantity } from '@tillside/contract/rules/supply'
import type { AssignedCoupon, Coupon } from '@tillside/contract/coupon'
import { expect, test } from 'vitest'
import {
  issueBlockerOf,
  availableFirst,
  canUndoRedeem,
  filterByName,
  stacksOf,
  ticketLook,
} from './ticket.ts'

const today = '2026-11-20'
const coupon: Coupon = {
  code: '884200917735',
  couponId: 'birthday',
  name: 'Birthday treat',
  unionCode: null,
  description: null,
  kind: 'gift',
  value: null,
  status: 'ISSUED',
  issueDate: '2026-11-01',
  startDate: '2026-11-01',
  expiryDate: '2026-12-30',
  redeemDate: null,
  redeemStore: null,
  redeemable: true,
  notRedeemableReason: null,
}
const refused = (notRedeemableReason: Coupon['notRedeemableReason']): Partial<Coupon> => ({
  redeemable: false,
  notRedeemableReason,
})

test.each<[string, Partial<Coupon>, ReturnType<typeof ticketLook>]>([
  ['to use', {}, { state: 'valid', endsIn: null, stub: 'redeem' }],
  ['ending in four days', { expiryDate: '2026-11-24' }, valid(null)],
  ['ending in three days', { expiryDate: '2026-11-23' }, valid(3)],
  ['ending today', { expiryDate: '2026-11-20' }, valid(0)],
  ['used', { status: 'USED' }, { state: 'used', endsIn: null, stub: null }],
  ['expired', { status: 'EXPIRED' }, { state: 'expired', endsIn: null, stub: null }],
  ['starting tomorrow', { startDate: '2026-11-21', ...refused('couponNotStarted') }, future()],
  ['not started by the server', refused('couponNotStarted'), future()],
  ['of another store', refused('couponOtherStore'), { ...valid(null), stub: 'otherStore' }],
  ['seen without permission', refused('noPermission'), { ...valid(null), stub: null }],
])('a coupon %s', (_, over, look) =>
  expect(ticketLook({ ...coupon, ...over }, today)).toEqual(look),
)

function valid(endsIn: number | null): ReturnType<typeof ticketLook> {
  return { state: 'valid', endsIn, stub: 'redeem' }
}

function future(): ReturnType<typeof ticketLook> {
  return { state: 'future', endsIn: null, stub: 'starts' }
}

const redeemed: Coupon = {
  ...coupon,
  status: 'USED',
  redeemDate: '2026-11-20T04:00:00Z',
  redeemStore: { code: 'S1', name: 'Harbour City' },
}
const after = (minutes: number) => Date.parse('2026-11-20T04:00:00Z') + minutes * 60_000

test.each<[string, boolean, Coupon, string, number, number]>([
  ['at once', true, redeemed, 'S1', 30, 0],
  ['just within the window', true, redeemed, 'S1', 30, 29.9],
  ['when the window is over', false, redeemed, 'S1', 30, 30],
  ['at another store', false, redeemed, 'S2', 30, 1],
  ['where nothing can be undone', false, redeemed, 'S1', 0, 0],
  ['before it was redeemed', false, coupon, 'S1', 30, 0],
])('undo %s: %s', (_case, expected, which, store, minutes, passed) => {
  expect(canUndoRedeem(which, store, minutes, after(passed))).toBe(expected)
})

const offer = (changes: Partial<AssignedCoupon> = {}): AssignedCoupon => ({
  couponId: 'tart',
  name: 'Egg tart, free',
  unionCode: null,
  description: null,
  kind: 'gift',
  value: null,
  validity: { startDate: today, expiryDate: today },
  pointsCost: null,
  remaining: null,
  perMemberLimit: null,
  memberHas: 0,
  ...changes,
})

test.each<[Partial<AssignedCoupon>, number | null, ReturnType<typeof issueBlockerOf>, number]>([
  [{}, 0, null, 10],
  [{ remaining: 0 }, 0, { kind: 'soldOut' }, 1],
  [{ remaining: 3 }, 0, null, 3],
  [{ perMemberLimit: 2, memberHas: 2 }, 0, { kind: 'limit', limit: 2 }, 1],
  [{ perMemberLimit: 5, memberHas: 2 }, 0, null, 3],
  [{ pointsCost: 500 }, 180, { kind: 'short', points: 320 }, 1],
  [{ pointsCost: 500 }, 500, null, 1],
  [{ pointsCost: 500 }, 1499, null, 2],
  [{ pointsCost: 500 }, null, null, 10],
])('%o with %s points: %o, at most %i', (changes, points, blocker, most) => {
  expect(issueBlockerOf(offer(changes), points)).toEqual(blocker)
  expect(maxQuantity(offer(changes), offer(changes).pointsCost, points)).toBe(most)
})

test('available coupons are first, each group in the server’s order', () => {
  const items = [
    offer({ couponId: 'a', remaining: 0 }),
    offer({ couponId: 'b' }),
    offer({ couponId: 'c', pointsCost: 900 }),
    offer({ couponId: 'd' }),
  ]
  expect(availableFirst(items, 100).map(({ couponId }) => couponId)).toEqual(['b', 'd', 'a', 'c'])
})

test('coupons that differ in their codes only are one stack, at the place of the first', () => {
  const alike = { ...coupon, code: 'A' }
  const coupons: Coupon[] = [
    alike,
    { ...coupon, code: 'B', expiryDate: '2031-01-01' },
    { ...coupon, code: 'C' },
    { ...coupon, code: 'D', redeemable: false, notRedeemableReason: 'couponOtherStore' },
    { ...coupon, code: 'E', status: 'USED' },
    { ...coupon, code: 'F', status: 'USED' },
  ]
  expect(stacksOf(coupons, true).map(({ top, count }) => `${top.code}${count}`)).toEqual([
    'A2',
    'B1',
    'D1',
    'E1',
    'F1',
  ])
})

test('finds a name by its words in any order', () => {
  const items = [offer(), offer({ name: '秋日環保袋一個' })]
  expect(filterByName(items, '')).toHaveLength(2)
  expect(filterByName(items, 'FREE egg')).toEqual([items[0]])
  expect(filterByName(items, '環保袋')).toEqual([items[1]])
  expect(filterByName(items, 'cake')).toEqual([])
})
