import { issueCouponByPoints } from '@tillside/contract/coupon'
import { pointTypes } from '@tillside/contract/wire/codes'
import { settingsAt } from '../../company/settings.ts'
import type { Transaction } from '../../database/database.ts'
import type { Asked, MemberQuestion } from '../../http/at-once/at-once.ts'
import {
  answerTemplate,
  debitOf,
  debitStatement,
  open,
  spendingLimits,
} from '../../points/at-once/debit.ts'
import { enqueueEntries } from '../../points/ledger.ts'
import { successText } from '../../text/envelope.ts'
import { newId } from '../../values/id.ts'
import { enqueueIssued } from '../issue.ts'
import { describe } from '../issue-by-points.ts'
import { rememberedDefinition } from './definitions.ts'
import { preparedCoupons } from './prepared.ts'

const issue = debitStatement(
  (now, isPossible) =>
    `issue_paid_answered($1, $2, l.lots, l.points, $5, ${now}, $4, $7, $8, $9, $10, $11,
       $12, $13, $14, ${isPossible}, $15, $16, $17, $18, $19, $20, $21, $22, $23)`,
)

/** The statements that issue coupons for points in one round trip; null: only the route can. */
export function askToIssueByPoints(asked: Asked<typeof issueCouponByPoints>): MemberQuestion {
  const { caller, token, operation, input, language, requestId } = asked
  const settings = settingsAt(caller.company)
  const definition = rememberedDefinition(token.companyId, input.couponId)
  if (settings === null || definition === null || definition.points_cost === null) return null
  const points = definition.points_cost * input.quantity
  const { coupons, codes, start, end } = preparedCoupons(asked, definition, settings)
  const message = successText(issueCouponByPoints.path, language)
  const data = { coupons, pointsSpent: points, balance: open.balance }
  const template = answerTemplate({ code: 0, message, data })
  const { code: type } = pointTypes.redeemCoupon
  const description = describe(definition, input.quantity, settings)
  const entryId = newId()
  const entry = [entryId, type, description, caller.staff.id, caller.store.code]
  const order = [input.couponId, definition.version, codes, start, end]
  const limits = spendingLimits(caller.isSystem, settings)
  return (memberId) => {
    const { first, terms } = debitOf(asked, memberId, points, template)
    const values = [...terms, ...entry, operation.key, requestId, template, ...order, ...limits]
    const { companyId } = token
    const enqueue = (tx: Transaction) => {
      enqueueEntries(tx, companyId, memberId, [entryId])
      enqueueIssued(tx, companyId, memberId, { codes, start, end })
    }
    return { first, s: issue, values, enqueue }
  }
}
