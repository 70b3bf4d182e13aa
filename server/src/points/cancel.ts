import { type PointType, pointTypes } from '@tillside/contract/wire/codes'
import type { Permission } from '@tillside/contract/wire/permissions'
import type { cancelPoints } from '@tillside/contract/points'
import type { Data, Input } from '@tillside/contract/wire/endpoint'
import * as z from 'zod/mini'
import { checkAllowance, takeAllowance } from '../allowance/given.ts'
import { settingsOf } from '../company/settings.ts'
import type { Context } from '../database/context.ts'
import { statement } from '../database/database.ts'
import { companyNowSql } from '../company/clock.ts'
import { countIssued } from './gift/stock.ts'
import { notCancelled } from './spending.ts'
import { giveBack } from './give-back.ts'
import { entriesSince } from './history.ts'
import { lockAccount, typeIn } from './ledger.ts'

const readDebit = statement(
  `select e.type, e.amount, e.invoice_number,
     (${cancellableSql('$4', '$5', '$2')}) as cancellable
   from point_entry e
   where e.company_id = $1 and e.member_id = $2 and e.entry_id = $3`,
  z.object({
    type: z.int(),
    amount: z.nullable(z.string()),
    invoice_number: z.nullable(z.string()),
    cancellable: z.boolean(),
  }),
)
// A statement of its own, because Citus runs a function beside a table on the table's node. A
// function of migration 0128.
const readGift = statement(
  `select item as id, quantity from bought_by($1, $2, $3, 'gift')`,
  z.object({ id: z.string(), quantity: z.int() }),
)

/**
 * SQL: whether the debit `e` of company `$1` can still be cancelled. Only the store that made it
 * may cancel it, once, and within the company's time limit.
 * @param store SQL expression for the code of the requesting store
 * @param minutes SQL expression for the time limit in minutes
 * @param member SQL expression for the member's id, where there is one besides that of `e`
 */
export function cancellableSql(store: string, minutes: string, member?: string): string {
  const isSpending = typeIn('e.type', 'redeemGift', 'redeemCoupon', 'redeemTransaction')
  return `${isSpending} and e.store_code = ${store}
    and e.created_at >= ${companyNowSql} - make_interval(mins => ${minutes})
    and ${notCancelled('e', member)}`
}

export type Cancellation = Extract<PointType, 'cancelGift' | 'cancelCoupon' | 'refund'>
type Kind = { type: Cancellation; permission: Permission; bought: 'gift' | 'coupon' | null }

/** By the type of the debit: that of its cancellation, the permission for both, what it bought. */
const kinds = new Map<number | null, Kind>([
  [pointTypes.redeemGift.code, { type: 'cancelGift', permission: 'pointRedeem', bought: 'gift' }],
  [
    pointTypes.redeemCoupon.code,
    { type: 'cancelCoupon', permission: 'pointExchange', bought: 'coupon' },
  ],
  [
    pointTypes.redeemTransaction.code,
    { type: 'refund', permission: 'pointExchange', bought: null },
  ],
])
export const cancellations = Array.from(kinds, ([of, kind]) => ({ of, ...kind }))

/** The permission to cancel an entry of this type; null if such entries cannot be cancelled. */
export function permissionToCancel(type: number | null): Permission | null {
  return kinds.get(type)?.permission ?? null
}

/**
 * Cancels a debit: returns the points to their lots and a gift to its stock. Points spent on
 * coupons are not cancelled here but in coupon/, together with the coupons.
 */
export async function cancel(
  context: Context<typeof cancelPoints>,
  input: Input<typeof cancelPoints>,
  memberId: string,
): Promise<Data<typeof cancelPoints>> {
  const { tx, company, staff, store, now, today } = context
  const { entryId, reason } = input
  const settings = await settingsOf(tx, company)
  const [account, debit, gift] = await Promise.all([
    lockAccount(tx, company.id, memberId),
    tx.maybe(readDebit, [company.id, memberId, entryId, store.code, settings.undoMinutes]),
    tx.maybe(readGift, [company.id, memberId, entryId]),
  ])
  const kind = kinds.get(debit?.type ?? null)
  if (debit === null || kind === undefined) return context.fail('notCancellable')
  if (!context.permissions.has(kind.permission)) return context.fail('noPermission')
  if (!debit.cancellable || kind.type === 'cancelCoupon') return context.fail('notCancellable')
  const before = account.entries
  const origin = {
    at: now,
    amount: debit.amount,
    invoiceNumber: debit.invoice_number,
    storeCode: store.code,
    staffId: staff.id,
    transactionId: null,
    description: reason,
  }
  const points = await giveBack(account, entryId, kind.type, origin, today)
  const [entries, , taken] = await Promise.all([
    entriesSince(context, account, before, settings),
    gift && countIssued(tx, company.id, ['gift', gift.id], -gift.quantity),
    takeAllowance(context, settings, { undone: 1 }),
  ])
  const [entry] = entries
  if (entry === undefined) throw new Error('the entry of a cancellation is not there')
  const allowance = checkAllowance(context, memberId, taken)
  const details = { entryId: entry.id, reverses: entryId, points, reason }
  context.changed({ action: 'points.cancel', memberId, details })
  return { entries, balance: account.balance, allowance }
}
