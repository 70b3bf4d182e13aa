import * as z from 'zod/mini'
import { issueCoupons } from '../../coupon/issue.ts'
import { statement } from '../../database/database.ts'
import { addDays } from '@tillside/contract/rules/day'
import type { TestCompany } from './company.ts'
import { nowSql, todaySql } from '../../database/reads/today.ts'

const readToday = statement(
  `select ${nowSql('company')} as now, ${todaySql('company')} as today from company
   where company_id = $1`,
  z.object({ now: z.string(), today: z.string() }),
)

/** The current day in the company's time zone. */
export async function todayOf({ database, id }: Pick<TestCompany, 'database' | 'id'>) {
  const { today } = await database.transaction(id, (tx) => tx.one(readToday, [id]))
  return today
}

/**
 * Issues a coupon that is valid for 30 days, as if on another day.
 * @param daysAgo 29: expires today; 30: expired yesterday; -1: starts tomorrow
 * @returns its code
 */
export async function testCoupon(
  { database, id }: Pick<TestCompany, 'database' | 'id'>,
  member: { id: string },
  daysAgo = 0,
  couponId = 'TREAT',
): Promise<string> {
  return database.transaction(id, async (tx) => {
    const { now, today } = await tx.one(readToday, [id])
    const issued = await issueCoupons(
      tx,
      { id },
      {
        memberId: member.id,
        couponId,
        quantity: 1,
        at: new Date(Date.parse(now) - daysAgo * 86_400_000).toISOString(),
        today: addDays(today, -daysAgo),
        storeCode: 'S1',
        staffId: null,
        paidWithPoints: false,
      },
    )
    const code = issued.outcome === 'issued' ? issued.codes[0] : undefined
    if (code === undefined) throw new Error(`coupon ${couponId} was not issued`)
    return code
  })
}
