import type { Endpoint } from '@tillside/contract/wire/endpoint'
import {
  batchRedeemCoupons,
  cancelCouponRedeem,
  getCustomerCoupons,
  issueCoupon,
  issueCouponByPoints,
  redeemCoupon,
} from '@tillside/contract/coupon'
import { createCustomer, membershipInfo, updateCustomer } from '@tillside/contract/member'
import { cancelPoints, explainPoints, pointHistory, redeemPoints } from '@tillside/contract/points'
import { listTransactions, transactionDetail } from '@tillside/contract/transaction'
import * as z from 'zod/mini'
import type { Cost, World } from './node-calls.ts'
import { couponsOf, okData, newContact, newForm } from './node-members.ts'
import { receipt } from '../factories/receipt.ts'

/** Makes one call of each kind for a member. @returns the cost of each */
export async function everyCall(w: World, memberCode: string): Promise<[string, Cost][]> {
  const costs: [string, Cost][] = []
  const measure = async (name: string, endpoint: Endpoint, input: object) => {
    const { answer, cost } = await w.costOf(() => w.ask(endpoint, { memberCode, ...input }))
    costs.push([name, cost])
    return okData(answer)
  }
  const joined = await w.costOf(() => w.ask(createCustomer, newForm()))
  costs.push(['member/createCustomer', joined.cost])
  const [one, two, three] = await couponsOf(w, memberCode, 3)
  await measure('member/membershipInfo', membershipInfo, {})
  await measure('points/history', pointHistory, {})
  await measure('points/explain', explainPoints, {})
  await measure('coupon/list', getCustomerCoupons, { status: 'ISSUED' })
  await measure('coupon/issue', issueCoupon, { couponId: 'TREAT', quantity: 1 })
  await measure('coupon/redeem', redeemCoupon, { couponCode: one })
  await measure('coupon/cancelRedeem', cancelCouponRedeem, { couponCode: one, reason: 'wrong' })
  await measure('coupon/batchRedeem', batchRedeemCoupons, { couponCodes: [two, three] })
  await measure('coupon/issueByPoints', issueCouponByPoints, { couponId: 'LATTE', quantity: 1 })
  const spent = await measure('points/redeem', redeemPoints, {
    kind: 'gift',
    giftId: 'MUG',
    quantity: 1,
  })
  const { entry } = z.object({ entry: z.object({ id: z.string() }) }).parse(spent)
  await measure('points/cancel', cancelPoints, {
    entryId: entry.id,
    reason: 'changed their mind',
  })
  const sale = receipt([['TEA', '12.50', 2]], { memberCode })
  const sold = await w.costOf(() =>
    w.database.about(w.company.id, { kind: 'code', value: memberCode }, () => w.sell(sale)),
  )
  if (sold.answer.created !== 1) throw new Error('the sale was not recorded')
  costs.push(['integration/transactions', sold.cost])
  await measure('transaction/list', listTransactions, {})
  await measure('transaction/detail', transactionDetail, { invoiceNumber: sale.invoiceNumber })
  const email = newContact().email
  await measure('member/update', updateCustomer, { version: 1, changes: { email } })
  return costs
}
