import { getOtherConfig, getPermission } from '@tillside/contract/company'
import { getCustomerCoupons } from '@tillside/contract/coupon'
import { getOneCustomer, membershipInfo } from '@tillside/contract/member'
import { listTransactions } from '@tillside/contract/transaction'
import type { Endpoint } from '@tillside/contract/wire/endpoint'
import type { Line } from '../kit/call/request.ts'
import { isDisplay, memberIn } from '../paths.ts'
import { lastReceiptOf, usableCouponsOf } from './inputs.ts'

/** A call that a page makes when it opens. */
export type Ask = { endpoint: Line & Pick<Endpoint, 'access'>; input: object }

/** The calls that the page at an address makes as soon as it opens. */
export function asksOf(at: Pick<Location, 'pathname' | 'search'>): Ask[] {
  // The customer display asks the server for nothing.
  if (isDisplay(at)) return []
  const asks: Ask[] = [
    { endpoint: getPermission, input: {} },
    { endpoint: getOtherConfig, input: {} },
  ]
  const named = memberIn(at)
  if (named === null) return asks
  asks.push({ endpoint: getOneCustomer, input: named.lookUp })
  // Any other look-up leads to the page with the member's code, which asks for the rest.
  if (!('code' in named.lookUp)) return asks
  const memberCode = named.lookUp.code
  asks.push({ endpoint: membershipInfo, input: { memberCode } })
  if (named.tab !== 'view') return asks
  asks.push(
    { endpoint: getCustomerCoupons, input: usableCouponsOf(memberCode) },
    { endpoint: listTransactions, input: lastReceiptOf(memberCode) },
  )
  return asks
}
