import type { issueCouponByPoints } from '@tillside/contract/coupon'
import { defaultLanguage } from '@tillside/contract/wire/language'
import type { Data, Input } from '@tillside/contract/wire/endpoint'
import { checkAllowance, takeAllowance } from '../allowance/given.ts'
import { counted } from '@tillside/contract/rules/counted'
import { type Settings, textIn } from '../company/definition.ts'
import type { Context } from '../database/context.ts'
import { findMemberId } from '../member/look-up.ts'
import { addDebit, lockAccount } from '../points/ledger.ts'
import { lotsToSpend } from '../points/lots.ts'
import { isBalanceAsShown } from '../points/spending.ts'
import { readPointTotals } from '../points/totals.ts'
import { couponOf, couponTermsOf, readCoupons } from './coupon.ts'
import type { IssuableDefinition } from './at-once/definitions.ts'
import { checkOrder, fillOrder, orderAtCounter } from './issue.ts'

/**
 * Gives a member coupons for points: one debit, and the coupons that it paid for. The account is
 * locked before the stock, as everywhere.
 * Order of refusals: member, those of issuing, balance too small, balance not the one expected,
 * allowance.
 */
export async function issueByPoints(
  context: Context<typeof issueCouponByPoints>,
  input: Input<typeof issueCouponByPoints>,
): Promise<Data<typeof issueCouponByPoints>> {
  const { tx, company, staff, store, now, today, language } = context
  const { couponId, quantity } = input
  const memberId = await findMemberId(tx, company.id, input.memberCode)
  if (memberId === null) return context.fail('memberUnknown')
  const order = orderAtCounter(context, memberId, input, true)
  const [account, checked, terms] = await Promise.all([
    lockAccount(tx, company.id, memberId),
    checkOrder(tx, company, order),
    couponTermsOf(tx, company),
  ])
  if (checked.outcome === 'refused') return context.fail(checked.reason)
  const { definition } = checked
  const points = (definition.points_cost ?? 0) * quantity
  const takes = await lotsToSpend(account, points, today)
  if (takes === null) {
    const { valid } = await readPointTotals(tx, company.id, memberId, today)
    return context.fail('pointsAboveBalance', { limit: valid })
  }
  if (!isBalanceAsShown(input, account.balance)) return context.fail('balanceChanged')
  const entry = await addDebit(
    account,
    {
      type: 'redeemCoupon',
      at: now,
      points,
      amount: null,
      earnDate: null,
      expiryDate: null,
      invoiceNumber: null,
      storeCode: store.code,
      staffId: staff.id,
      transactionId: null,
      reverses: null,
      description: describe(definition, quantity, terms.settings),
    },
    takes,
  )
  const codes = await fillOrder(tx, company, order, definition, entry.id)
  const [coupons, taken] = await Promise.all([
    readCoupons(tx, company.id, memberId, codes, today),
    takeAllowance(context, terms.settings, { pointRedemptions: 1, pointsSpent: points }),
  ])
  const allowance = checkAllowance(context, memberId, taken)
  context.changed({
    action: 'coupon.issueByPoints',
    memberId,
    details: { couponId, quantity, points: -points, entryId: entry.id },
  })
  return {
    coupons: coupons.map((row) => couponOf(row, context, terms, language)),
    pointsSpent: points,
    balance: entry.balanceAfter,
    allowance,
  }
}

/** For the books, in the company's own language; the history shows the name in the clerk's. */
export function describe(
  { names }: IssuableDefinition,
  quantity: number,
  settings: Settings,
): string {
  return counted(textIn(names, settings.languages[0] ?? defaultLanguage, settings), quantity)
}
