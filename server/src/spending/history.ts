import type { pointHistory } from '@tillside/contract/points'
import type { Data, Input } from '@tillside/contract/wire/endpoint'
import { nameBought } from '../coupon/bought.ts'
import type { Context } from '../database/context.ts'
import { readHistory } from '../points/history.ts'

/** Lists the member's entries, newest first, with the names of gifts and coupons translated. */
export async function readNamedHistory(
  context: Context<typeof pointHistory>,
  input: Input<typeof pointHistory>,
  memberId: string | null,
): Promise<Data<typeof pointHistory>> {
  const history = await readHistory(context, input, memberId)
  if (memberId === null) return history
  return { ...history, items: await nameBought(context, memberId, history.items) }
}
