import type { membershipInfo } from '@tillside/contract/member'
import type { Data, Input } from '@tillside/contract/wire/endpoint'
import { maySee } from '@tillside/contract/wire/facts'
import { settingsOf } from '../company/settings.ts'
import type { Context } from '../database/context.ts'
import { readPointTotals } from '../points/totals.ts'
import { readStanding } from '../tier/standing.ts'
import { countCoupons } from './list.ts'

/** Summary of one member's tier, points and coupons. Reads no part that the caller may not see. */
export async function readMembership(
  context: Context<typeof membershipInfo>,
  _query: Input<typeof membershipInfo>,
  memberId: string | null,
): Promise<Data<typeof membershipInfo>> {
  const { tx, company, today, permissions, language } = context
  if (memberId === null) return context.fail('memberUnknown')
  const settings = await settingsOf(tx, company)
  const may = {
    tier: maySee(permissions, 'tier'),
    points: maySee(permissions, 'points'),
    coupons: maySee(permissions, 'coupons'),
  }
  const [tier, points, couponCounts] = await Promise.all([
    may.tier ? readStanding(tx, company, memberId, today, settings, language) : null,
    may.points ? readPointTotals(tx, company.id, memberId, today) : null,
    may.coupons ? countCoupons(tx, company.id, memberId, today) : null,
  ])
  return { tier, points, couponCounts }
}
