import { activityKinds, type ActivityTotal, type StoreActivity } from '@tillside/contract/activity'
import { counted } from '@tillside/contract/rules/counted'
import { decimal, decimalText, plus } from '@tillside/contract/rules/decimal'
import { maskedName } from '@tillside/contract/rules/person'
import { type Settings, textIn } from '../company/definition.ts'
import { settingsOf } from '../company/settings.ts'
import type { Context } from '../database/context.ts'
import { toInstant } from '../member/member.ts'
import { permissionToCancel } from '../points/cancel.ts'
import {
  type BoughtRow,
  type CouponRow,
  type DayRow,
  days,
  readCoupons,
  readOperations,
  type Whose,
} from './day-rows.ts'

/** `staff_id`: null in the totals of all clerks together. */
type Totals = ActivityTotal & { staff_id: string | null }
type Day = { items: StoreActivity[]; totals: Totals[] }

/**
 * Reads the actions of a day, newest first, and their totals in the order of the kinds.
 * @param id the account's id or the store's code
 * @param date a day of the company; undefined: today
 */
export async function readActivityOf(
  context: Pick<Context, 'tx' | 'company' | 'store' | 'today' | 'language' | 'permissions'>,
  whose: Whose,
  id: string,
  date: string | undefined,
): Promise<Day> {
  const { tx, company, store, today } = context
  const settings = await settingsOf(tx, company)
  const times = [date ?? today, company.timeZone]
  const undoing = [store.code, settings.undoMinutes, today]
  const day = [company.id, id, ...times]
  const operationsOf = (staff: string[]) => tx.all(readOperations, [company.id, staff, ...times])
  const [rows, bought, totals, own] = await Promise.all([
    tx.all(days[whose].items, [...day, ...undoing]),
    tx.all(days[whose].bought, day),
    tx.all(days[whose].totals, day),
    whose === 'staff_id' ? operationsOf([id]) : null,
  ])
  const codes = rows.flatMap((row) => (row.is_elsewhere && row.coupon !== null ? row.coupon : []))
  const [operations, coupons] = await Promise.all([
    own ?? operationsOf([...new Set(rows.map((row) => row.staff_id))]),
    codes.length === 0 ? [] : tx.all(readCoupons, [company.id, codes, ...undoing]),
  ])
  const of = {
    bought: new Map(bought.map((row) => [row.entry_id, row])),
    coupons: new Map(coupons.map((row) => [row.code, row])),
    operations: new Map(operations.map((row) => [`${row.staff_id} ${row.moment}`, row.key])),
  }
  return {
    items: rows.map((row) => itemOf(row, of, context, settings)),
    totals: [...totals, ...sumsOf(totals)].toSorted((a, b) => rank(a) - rank(b)),
  }
}

/** The totals of all clerks together. */
function sumsOf(totals: readonly Totals[]): Totals[] {
  return [...Map.groupBy(totals, ({ kind }) => kind)].map(([kind, of]) => {
    const amounts = of.flatMap(({ amount }) => (amount === null ? [] : decimal(amount)))
    return {
      kind,
      staff_id: null,
      count: of.reduce((sum, one) => sum + one.count, 0),
      undone: of.reduce((sum, one) => sum + one.undone, 0),
      points: of.every(({ points }) => points === null)
        ? null
        : of.reduce((sum, one) => sum + (one.points ?? 0), 0),
      amount: amounts.length === 0 ? null : decimalText(amounts.reduce(plus)),
    }
  })
}

function rank({ kind }: ActivityTotal): number {
  return activityKinds.indexOf(kind)
}

/** Facts that the statement of the actions does not have. */
type More = {
  /** By the entry that undoes the purchase. */
  bought: ReadonlyMap<string, BoughtRow>
  /** Coupons that belong to another member since a merge, by their codes. */
  coupons: ReadonlyMap<string, CouponRow>
  /** The keys of requests, by the account and the time. */
  operations: ReadonlyMap<string, string>
}

function itemOf(
  row: DayRow,
  { bought, coupons, operations }: More,
  { permissions, language }: Pick<Context, 'permissions' | 'language'>,
  settings: Settings,
): StoreActivity {
  const needed = permissionToCancel(row.entry_type)
  const undoesEntry = row.entry_cancellable && needed !== null && permissions.has(needed)
  const elsewhere = coupons.get(row.coupon ?? '')
  const undone = bought.get(row.entry_id ?? '')
  const isRedeemed = row.action === 'coupon.redeem' && elsewhere?.moment === row.moment
  const isCancellable = row.coupon_cancellable || (isRedeemed && elsewhere.cancellable)
  const undoesCoupon = isCancellable && permissions.has('couponRedeem')
  const coupon = elsewhere?.names ?? row.coupon_names ?? undone?.names
  const { gift_names: gift } = row
  return {
    account: row.account,
    time: toInstant(row.at),
    action: row.action,
    kind: row.kind,
    memberName: maskedName({ firstName: row.first_name, lastName: row.last_name }),
    memberCode: row.member_code,
    points: row.points,
    amount: row.amount,
    couponName: coupon
      ? counted(textIn(coupon, language, settings), undone?.quantity ?? row.coupons)
      : null,
    giftName: gift && counted(textIn(gift, language, settings), row.quantity ?? 1),
    cancellable: undoesEntry || undoesCoupon,
    operation: operations.get(`${row.staff_id} ${row.moment}`) ?? null,
    entryId: row.entry_id,
    couponCode: row.coupon,
  }
}
