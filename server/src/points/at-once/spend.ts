import { redeemPoints } from '@tillside/contract/points'
import { decideExchange, type Takes } from '@tillside/contract/rules/exchange'
import { pointTypes } from '@tillside/contract/wire/codes'
import type { Settings } from '../../company/definition.ts'
import { decimalsOf, settingsAt } from '../../company/settings.ts'
import { nameOfStore } from '../../company/stores.ts'
import type { Asked, MemberQuestion } from '../../http/at-once/at-once.ts'
import { successText } from '../../text/envelope.ts'
import { newId } from '../../values/id.ts'
import { entryOf } from '../history.ts'
import { hasDecimals } from '../spending.ts'
import { answerTemplate, debitOf, debitStatement, open, spendingLimits } from './debit.ts'

const spend = debitStatement(
  (now, isPossible) =>
    `spend_answered($1, $2, l.lots, l.points, $5, ${now}, $4, $7, $8, $9, $10, $11, $12,
       $13, $14, $15, ${isPossible}, $16, $17, $18, $19)`,
)

/**
 * The statements with which points pay for a part of a sale in one round trip; null: only the route
 * can answer.
 */
export function askToSpend(asked: Asked<typeof redeemPoints>): MemberQuestion {
  const { caller, operation, input, requestId } = asked
  const settings = settingsAt(caller.company)
  // A gift has a stock. A named sale has other redemptions, possibly of other members.
  if (settings === null || input.kind !== 'transaction') return null
  if (input.invoiceNumber !== undefined || input.openSale !== undefined) return null
  if (!caller.permissions.has('pointExchange') || !hasDecimals(input, settings)) return null
  const rule = settings.points.exchange
  // The lots show whether the member has the points.
  const decision = decideExchange(rule && { ...rule, decimals: decimalsOf(settings) }, input, null)
  if (decision.outcome !== 'takes') return null
  const { points, amount } = decision
  const entryId = newId()
  const template = templateOf(asked, settings, entryId, decision)
  const { code: type } = pointTypes.redeemTransaction
  const entry = [entryId, type, amount, caller.staff.id, caller.store.code]
  const details = { entryId, kind: input.kind, points: -points, amount, invoice: null }
  const limits = spendingLimits(caller.isSystem, settings)
  return (memberId) => {
    const { first, terms } = debitOf({ ...asked, input }, memberId, points, template)
    const values = [...terms, ...entry, operation.key, requestId, template, details, ...limits]
    return { first, s: spend, values }
  }
}

function templateOf(
  { caller, language }: Asked<typeof redeemPoints>,
  settings: Settings,
  entryId: string,
  { points, amount }: Takes,
): string {
  const row = {
    ...withoutWords,
    entry_id: entryId,
    type: pointTypes.redeemTransaction.code,
    points: -points,
    amount,
    store_code: caller.store.code,
  }
  const entry = {
    ...entryOf(row, { settings, language, stores: nameOfStore(caller.store) }),
    balance: open.balance,
    createDate: open.time,
  }
  const message = successText(redeemPoints.path, language)
  return answerTemplate({ code: 0, message, data: { entry, balance: open.balance, amount } })
}

/** The part of an entry's row that is the same for each spending on a sale, and its undo. */
export const withoutWords = {
  seq: 0,
  balance_after: 0,
  created_at: '',
  invoice_number: null,
  earn_date: null,
  expiry_date: null,
  description: null,
  gift: null,
  cancelled_coupon: null,
  promotion_id: null,
}
