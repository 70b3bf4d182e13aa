import { staffActivity } from '@tillside/contract/activity'
import {
  batchRedeemCoupons,
  cancelCouponRedeem,
  issueCoupon,
  issueCouponByPoints,
  redeemCoupon,
} from '@tillside/contract/coupon'
import { createCustomer, getOneCustomer } from '@tillside/contract/member'
import { cancelPoints, redeemPoints } from '@tillside/contract/points'
import { transactionDetail } from '@tillside/contract/transaction'
import type { Endpoint } from '@tillside/contract/wire/endpoint'
import type { Permission } from '@tillside/contract/wire/permissions'
import * as z from 'zod/mini'
import { answered } from '../kit/call/portalState.ts'
import { session } from '../kit/call/session.ts'
import { deviceStorage } from '../kit/store/storage.ts'
import { createStore, useStore } from '../kit/store/store.ts'

/** A task is done when the server has answered one of its calls without a refusal. */
const callsOf = {
  'find-member': [getOneCustomer],
  'redeem-coupon': [redeemCoupon],
  undo: [cancelCouponRedeem, cancelPoints],
  'redeem-several': [batchRedeemCoupons],
  'issue-coupon': [issueCoupon, issueCouponByPoints],
  'spend-points': [redeemPoints],
  register: [createCustomer],
  // The overview lists receipts by itself.
  receipts: [transactionDetail],
  'my-shift': [staffActivity],
} satisfies Record<string, readonly Endpoint[]>

/** The name of a task, which is that of its page in the manual. */
export type Task = keyof typeof callsOf

const taskNames: readonly Task[] = [
  'find-member',
  'redeem-coupon',
  'undo',
  'redeem-several',
  'issue-coupon',
  'spend-points',
  'register',
  'receipts',
  'my-shift',
]
const Names = z.array(z.string())

/** The tasks that a clerk with these permissions can do. */
export function tasksFor(permissions: ReadonlySet<Permission>): readonly Task[] {
  return taskNames.filter((name) =>
    callsOf[name].some(({ access }) => typeof access === 'string' || mayCall(access, permissions)),
  )
}

function mayCall(access: readonly Permission[], permissions: ReadonlySet<Permission>): boolean {
  return access.some((permission) => permissions.has(permission))
}

const done = createStore<readonly string[]>([])

/** The names of the tasks that were done on this device in this company. */
export function useDoneTasks(): readonly string[] {
  return useStore(done)
}

/** Ticks tasks from now on. @returns a function that stops it */
export function followTasks(): () => void {
  done.set(kept())
  // Calls may have been answered before this file was loaded.
  tick(answered.get())
  return answered.watch(tick)
}

function tick(endpoints: readonly Endpoint[]): void {
  const wasDone = done.get()
  const names = taskNames.filter(
    (task) => wasDone.includes(task) || callsOf[task].some((one) => endpoints.includes(one)),
  )
  if (names.length > wasDone.length) keep(names)
}

/** Forgets what was done, for the next clerk. */
export function restartTasks(): void {
  keep([])
  answered.set([])
}

const key = () => session.keyOf('practice')

function keep(names: readonly string[]): void {
  deviceStorage.setItem(key(), JSON.stringify(names))
  done.set(names)
}

/** The stored text may be invalid. */
function kept(): readonly string[] {
  try {
    const found = z.safeParse(Names, JSON.parse(deviceStorage.getItem(key()) ?? '[]'))
    return found.success ? found.data : []
  } catch {
    return []
  }
}
