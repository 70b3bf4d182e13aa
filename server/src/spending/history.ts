import type { pointHistory } from '@tillside/contract/points'
import type { Data, Input } from '@tillside/contract/wire/endpoint'
import type { Context } from '../database/context.ts'
import { historyPage, readHistory } from '../points/history.ts'
import { typeIn } from '../points/ledger.ts'

// Here, because points does not know coupons. Only entries of these two types look for any.
const readPage = historyPage(`case when ${typeIn('e.type', 'redeemCoupon', 'cancelCoupon')} then (
    select jsonb_build_object('names', d.names, 'quantity', count(*)) from coupon c
    join coupon_definition d on d.company_id = $1 and d.coupon_id = c.coupon_id
    where c.company_id = $1 and c.member_id = $2
      and c.entry_id = coalesce(e.reverses, e.entry_id)
    group by d.coupon_id, d.names limit 1
  ) end`)

/** Lists the member's entries, newest first, with the names of gifts and coupons translated. */
export function readNamedHistory(
  context: Context<typeof pointHistory>,
  input: Input<typeof pointHistory>,
  memberId: string | null,
): Promise<Data<typeof pointHistory>> {
  return readHistory(context, input, memberId, readPage)
}
