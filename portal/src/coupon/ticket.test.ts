import type { Coupon } from '@tillside/contract/coupon'
import { expect, test } from 'vitest'
import { ticketLook } from './ticket.ts'

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
