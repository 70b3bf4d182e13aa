import type { membershipInfo } from '@tillside/contract/member'
import type { Data, Input } from '@tillside/contract/wire/endpoint'
import { maySee } from '@tillside/contract/wire/facts'
import * as z from 'zod/mini'
import { settingsOf } from '../company/settings.ts'
import type { Context } from '../database/context.ts'
import { statement } from '../database/database.ts'
import { readIfKnown } from '../member/look-up.ts'
import {
  accountSql,
  AccountRow,
  expiringSql,
  ExpiringRow,
  pointTotalsOf,
  readPointTotals,
} from '../points/totals.ts'
import { readStanding, SpendRow, spendSql, standingOf } from '../tier/standing.ts'
import { countCoupons, countsOf, CountsRow, countsSql } from './list.ts'

type Home = Data<typeof membershipInfo>

// One statement for all parts: each statement costs PostgreSQL and this process more than its rows.
const readAll = statement(
  `select tier.*, account.*, expiring.*, coupons.*
   from (${spendSql('$2')}) tier cross join (${accountSql('$2')}) account
     cross join (${expiringSql('$2')}) expiring cross join (${countsSql('$2')}) coupons`,
  z.object({ ...SpendRow.shape, ...AccountRow.shape, ...ExpiringRow.shape, ...CountsRow.shape }),
)

/** Summary of one member's tier, points and coupons. Reads no part that the caller may not see. */
export async function readMembership(
  context: Context<typeof membershipInfo>,
  _query: Input<typeof membershipInfo>,
  memberId: string | null,
): Promise<Home> {
  const { tx, company, today, permissions, language } = context
  const may = {
    tier: maySee(permissions, 'tier'),
    points: maySee(permissions, 'points'),
    coupons: maySee(permissions, 'coupons'),
  }
  if (memberId !== null && may.tier && may.points && may.coupons)
    return readWhole(context, memberId)
  const settings = await settingsOf(tx, company)
  const [tier, points, couponCounts] = await readIfKnown(context, memberId, (member) =>
    Promise.all([
      may.tier ? readStanding(tx, company, member, today, settings, language) : null,
      may.points ? readPointTotals(tx, company.id, member, today) : null,
      may.coupons ? countCoupons(tx, company.id, member, today) : null,
    ]),
  )
  return { tier, points, couponCounts }
}

async function readWhole(context: Context<typeof membershipInfo>, member: string): Promise<Home> {
  const { tx, company, today } = context
  const settings = await settingsOf(tx, company)
  const row = await tx.maybe(readAll, [company.id, member, today, settings.tierRules.window])
  if (row === null) return context.fail('memberUnknown')
  return {
    tier: await standingOf(context, member, row, settings),
    points: pointTotalsOf(row),
    couponCounts: countsOf(row),
  }
}
