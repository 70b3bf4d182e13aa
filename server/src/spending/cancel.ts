import type { cancelPoints } from '@tillside/contract/points'
import type { Data, Input } from '@tillside/contract/wire/endpoint'
import * as z from 'zod/mini'
import { checkAllowance, takeAllowance } from '../allowance/given.ts'
import { settingsOf } from '../company/settings.ts'
import { findBought, nameBought, returnToStock, voidBought } from '../coupon/bought.ts'
import type { Context } from '../database/context.ts'
import { statement } from '../database/database.ts'
import { cancel, cancellableSql } from '../points/cancel.ts'
import { giveBack } from '../points/give-back.ts'
import { entriesSince } from '../points/history.ts'
import { lockAccount } from '../points/ledger.ts'

const readDebit = statement(
  `select (${cancellableSql('$4', '$5', '$2')}) as cancellable from point_entry e
   where e.company_id = $1 and e.member_id = $2 and e.entry_id = $3`,
  z.object({ cancellable: z.boolean() }),
)

/**
 * Cancels a spending of points. Coupons that it paid for become void and return to the stock; it is
 * refused when one of them is used.
 */
export async function cancelSpending(
  context: Context<typeof cancelPoints>,
  input: Input<typeof cancelPoints>,
  memberId: string | null,
): Promise<Data<typeof cancelPoints>> {
  const { tx, company, staff, store, now, today } = context
  const { entryId, reason } = input
  if (memberId === null) return context.fail('memberUnknown')
  const [bought, settings] = await Promise.all([
    findBought(tx, company.id, memberId, entryId),
    settingsOf(tx, company),
  ])
  if (bought === null) return cancel(context, input, memberId)
  if (!context.permissions.has('pointExchange')) return context.fail('noPermission')
  const { number } = bought
  const which = { memberId, entryId }
  // One round trip, in the lock order of all point movements: account, coupons, definition.
  const [account, debit, voided] = await Promise.all([
    lockAccount(tx, company.id, memberId),
    tx.one(readDebit, [company.id, memberId, entryId, store.code, settings.undoMinutes]),
    voidBought(tx, company.id, which, reason),
  ])
  if (!debit.cancellable || voided !== number) return context.fail('notCancellable')
  const before = account.entries
  const origin = {
    at: now,
    amount: null,
    invoiceNumber: null,
    storeCode: store.code,
    staffId: staff.id,
    transactionId: null,
    description: reason,
  }
  const points = await giveBack(account, entryId, 'cancelCoupon', origin, today)
  const [entries, , taken] = await Promise.all([
    entriesSince(context, account, before, settings),
    returnToStock(tx, company.id, bought),
    takeAllowance(context, settings, { undone: 1 }),
  ])
  const named = await nameBought(context, memberId, entries)
  const [entry] = named
  if (entry === undefined) throw new Error('the entry of a cancellation is missing')
  const allowance = checkAllowance(context, memberId, taken)
  context.changed({
    action: 'points.cancel',
    memberId,
    details: { entryId: entry.id, reverses: entryId, points, reason },
  })
  return { entries: named, balance: account.balance, allowance }
}
