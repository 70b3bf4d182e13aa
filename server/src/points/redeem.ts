import type { redeemPoints } from '@tillside/contract/points'
import type { Data, Input } from '@tillside/contract/wire/endpoint'
import * as z from 'zod/mini'
import { checkAllowance, takeAllowance } from '../allowance/given.ts'
import type { Context } from '../database/context.ts'
import { statement } from '../database/database.ts'
import { giftsOf } from './gift/gifts.ts'
import { entriesSince } from './history.ts'
import { addDebit, lockAccount } from './ledger.ts'
import { checkSpending, lockSales, type SpendingNamed, writePaidSales } from './spending.ts'

// A concurrent redemption waits for the lock of the stock, and then the function checks it again.
const takeGifts = statement(
  'select take_gifts($1, $2, $3) as taken',
  z.object({ taken: z.boolean() }),
)
const insertRedemption = statement(
  `insert into gift_redemption (company_id, member_id, entry_id, gift_id, quantity)
   select company_id, member_id, entry_id, $4, $5 from point_entry
   where company_id = $1 and member_id = $2 and seq = $3`,
  z.unknown(),
)

/**
 * Spends points on a gift or on part of a sale's price. The rules are in the contract's
 * `rules/exchange.ts`.
 */
export async function redeem(
  context: Context<typeof redeemPoints>,
  input: Input<typeof redeemPoints>,
  named: SpendingNamed,
): Promise<Data<typeof redeemPoints>> {
  const { tx, company, staff, store, now } = context
  const weighed = await checkSpending(context, input, named, async (id) => {
    const [locked] = await Promise.all([
      lockAccount(tx, company.id, id),
      lockSales(tx, company.id, id, input),
    ])
    return locked
  })
  const { memberId, settings, hold: account, takes } = weighed
  const { points, amount } = weighed.spending
  const before = account.entries
  const gift = input.kind === 'gift' ? input : null
  const invoice = input.kind === 'transaction' ? (input.invoiceNumber ?? null) : null
  const owner = [company.id, memberId]
  const [inStock, added, , [entry], taken] = await Promise.all([
    gift === null ? null : tx.one(takeGifts, [company.id, gift.giftId, gift.quantity]),
    addDebit(
      account,
      {
        type: gift === null ? 'redeemTransaction' : 'redeemGift',
        points,
        at: now,
        amount,
        invoiceNumber: invoice,
        storeCode: store.code,
        staffId: staff.id,
        transactionId: null,
        description: null,
        earnDate: null,
        expiryDate: null,
        reverses: null,
      },
      takes,
    ),
    gift && tx.run(insertRedemption, [...owner, before + 1, gift.giftId, gift.quantity]),
    entriesSince(context, account, before, settings),
    takeAllowance(context, settings, { pointRedemptions: 1, pointsSpent: points }),
    writePaidSales(account, input, before + 1),
    // The next redemption of a gift takes one round trip.
    gift && giftsOf(tx, company),
  ])
  // A concurrent redemption took the last piece. The failure rolls the transaction back.
  if (inStock?.taken === false) return context.fail('giftOutOfStock')
  if (entry === undefined) throw new Error('the entry of a redemption is not there')
  const allowance = checkAllowance(context, memberId, taken)
  context.changed({
    action: 'points.redeem',
    memberId,
    details: {
      entryId: added.id,
      kind: input.kind,
      points: -points,
      ...(gift === null ? { amount, invoice } : { giftId: gift.giftId, quantity: gift.quantity }),
    },
  })
  return { entry, balance: added.balanceAfter, amount, allowance }
}
