import {
  batchRedeemCoupons,
  couponCodeDetail,
  getCustomerCoupons,
  issueCoupon,
  redeemCoupon,
} from '@tillside/contract/coupon'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { statement } from '../database/database.ts'
import { call, logIn, ok, testCompany } from '../testing/factories/company.ts'
import { testCoupon, todayOf } from '../testing/factories/coupon.ts'
import { testMember } from '../testing/factories/member.ts'

const setZone = statement('update company set time_zone = $2 where company_id = $1', z.unknown())
const readNow = statement('select now() as now', z.object({ now: z.string() }))

/**
 * A zone of its own, in PostgreSQL's POSIX notation, where it is midnight so many seconds from now.
 * @param west whether its clock is behind UTC's, where it is still the day before
 */
function zoneWithMidnight(now: string, inSeconds: number, west: boolean): string {
  const ahead = Math.round(86_400 - inSeconds - secondsOf(now))
  const east = west ? ahead - 86_400 : ahead
  const [sign, seconds] = east < 0 ? ['+', -east] : ['-', east]
  const clock = new Date(seconds * 1000).toISOString().slice(11, 19)
  return `TST${sign}${clock}`
}

/** How much of UTC's day has gone. */
function secondsOf(now: string): number {
  return (Date.parse(now) / 1000) % 86_400
}

test('list, detail and redemptions agree from the last second of a day to the first', async () => {
  const company = await testCompany()
  const [token, member, owner] = [
    await logIn(company),
    await testMember(company),
    await testMember(company),
  ]
  const { memberCode } = member
  const clock = () => company.database.reading(company.id, (tx) => tx.one(readNow, []))
  // Within half a day of UTC, and on one side of it: from one to the other a day would be skipped.
  const west = secondsOf((await clock()).now) < 43_200
  const midnightIn = async (seconds: number) => {
    const zone = zoneWithMidnight((await clock()).now, seconds, west)
    await company.database.transaction(company.id, (tx) => tx.run(setZone, [company.id, zone]))
  }
  const issue = (count: number, daysAgo: number) =>
    Promise.all(Array.from({ length: count }, () => testCoupon(company, member, daysAgo)))
  const rounds = 60
  await midnightIn(1800)
  const day = await todayOf(company)
  const kept = await testCoupon(company, owner, 29)
  const [alone, together, coming] = [
    await issue(rounds, 29),
    await issue(rounds, 29),
    await issue(rounds, -1),
  ]
  await midnightIn(3)

  const seen: string[] = []
  for (let round = 0; round < rounds && seen.filter((one) => one !== day).length < 4; round++) {
    const before = await todayOf(company)
    const inStatus = (status: string) =>
      ok(company, getCustomerCoupons, { memberCode: owner.memberCode, status }, { token })
    const [detail, issued, expired, one, batch, early] = await Promise.all([
      ok(company, couponCodeDetail, { couponCode: kept }, { token }),
      inStatus('ISSUED'),
      inStatus('EXPIRED'),
      call(company, redeemCoupon, { memberCode, couponCode: alone[round] }, { token }),
      call(company, batchRedeemCoupons, { memberCode, couponCodes: [together[round]] }, { token }),
      call(company, redeemCoupon, { memberCode, couponCode: coming[round] }, { token }),
    ])
    const after = await todayOf(company)
    if (before !== after) continue // midnight was between the calls
    const listed = [issued, expired].map(({ items }) => items.map(({ code }) => code))
    const found = [detail.status, listed, one.code, batch.code, early.code]
    expect(found).toEqual(
      before === day
        ? ['ISSUED', [[kept], []], 0, 0, 113004]
        : ['EXPIRED', [[], [kept]], 113003, 113010, 0],
    )
    expect(detail.redeemable).toBe(before === day)
    const counts = before === day ? { ISSUED: 1, EXPIRED: 0 } : { ISSUED: 0, EXPIRED: 1 }
    for (const list of [issued, expired]) expect(list.counts).toMatchObject(counts)
    const reasons = [{ couponCode: together[round], reason: 'couponExpired' }]
    if (before !== day) expect(batch.data).toMatchObject({ items: reasons })
    seen.push(before)
    await new Promise((wake) => setTimeout(wake, 150))
  }
  expect(new Set(seen).size).toBe(2)
  await company.close()
})

test('a coupon that is issued after midnight is one of the new day', async () => {
  const company = await testCompany()
  const [token, { memberCode }] = [await logIn(company), await testMember(company)]
  const { now } = await company.database.reading(company.id, (tx) => tx.one(readNow, []))
  const zone = zoneWithMidnight(now, 3, secondsOf(now) < 43_200)
  await company.database.transaction(company.id, (tx) => tx.run(setZone, [company.id, zone]))
  const day = await todayOf(company)
  const issue = () =>
    ok(company, issueCoupon, { couponId: 'TREAT', quantity: 1, memberCode }, { token })
  // The process then knows the session's holder, the definition and the day.
  for (const _ of [1, 2, 3]) await issue()
  await expect.poll(() => todayOf(company), { timeout: 10_000 }).not.toBe(day)
  const [coupon] = (await issue()).coupons
  const input = { couponCode: coupon?.code }
  const { member: _, ...read } = await ok(company, couponCodeDetail, input, { token })
  expect(coupon).toEqual(read)
  expect(coupon?.issueDate).toBe(await todayOf(company))
  await company.close()
})
