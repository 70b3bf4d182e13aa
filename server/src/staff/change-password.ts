import type { changePassword, confirmPassword } from '@tillside/contract/auth'
import type { Data, Input } from '@tillside/contract/wire/endpoint'
import type { FieldReason } from '@tillside/contract/wire/failures'
import * as z from 'zod/mini'
import { writeAudit } from '../database/audit.ts'
import type { StepsContext } from '../database/context.ts'
import { statement } from '../database/database.ts'
import { invalidField } from '../text/invalid.ts'
import { endAccess } from './accounts.ts'
import { hashPassword, verifyPassword } from './password.ts'
import { contextNames, passwordProblem, type PasswordProblem } from './passwords/problem.ts'
import {
  type Attempt,
  clearLoginAttempts,
  countLoginAttempt,
  type Origin,
  refundAddress,
} from './throttle/attempts.ts'
import { forgetDevices, keepDevice } from './throttle/device.ts'
import { noteSight, passwordTyped } from './throttle/sights.ts'

const readHash = statement(
  'select password_hash from staff where company_id = $1 and staff_id = $2',
  z.object({ password_hash: z.string() }),
)
// Of two concurrent changes, the second one's old password is no longer valid.
const writeHash = statement(
  `update staff set password_hash = $4
   where company_id = $1 and staff_id = $2 and password_hash = $3`,
  z.unknown(),
)

const reasonOf: Record<PasswordProblem, FieldReason> = {
  format: 'newPassword',
  tooCommon: 'commonPassword',
}

/**
 * Changes the clerk's password and ends all their sessions and links. Wrong attempts count together
 * with those of logging in. Order of refusals: the new password is not allowed, too many attempts,
 * the old password is wrong.
 */
export async function changeOwnPassword(
  context: StepsContext<typeof changePassword>,
  typed: Input<typeof changePassword>,
): Promise<Data<typeof changePassword>> {
  const { database, company, staff, device, fail } = context
  const names = await database.reading(company.id, (tx) => contextNames(tx, company.id))
  const own = [staff.account, staff.firstName, staff.lastName]
  const problem = passwordProblem(typed.newPassword, [...names, ...own])
  if (problem !== null) {
    return fail('invalid', invalidField('newPassword', reasonOf[problem], context.language))
  }
  const { origin, attempt, hash: before } = await checkOwnPassword(context, typed.originPassword)
  const after = await hashPassword(typed.newPassword)
  return database.transaction(company.id, async (tx) => {
    const changed = await tx.run(writeHash, [company.id, staff.id, before, after])
    if (changed === 0) return fail('passwordWrong')
    await endAccess(tx, company.id, staff.id)
    await clearLoginAttempts(tx, origin, attempt)
    await forgetDevices(tx, company.id, staff.id, device.token)
    const change = { action: 'staff.password', memberId: null, details: {} }
    writeAudit(tx, context, context.requestId, change)
    return null
  })
}

/**
 * Confirms with the password that a session is still its clerk's. Wrong attempts count together
 * with those of logging in, and the right password makes the device known, as a login does. Order
 * of refusals: too many attempts, the password is wrong.
 */
export async function confirmOwnPassword(
  context: StepsContext<typeof confirmPassword>,
  { password }: Input<typeof confirmPassword>,
): Promise<Data<typeof confirmPassword>> {
  const { database, company, staff, device } = context
  const { origin, attempt } = await checkOwnPassword(context, password)
  const kept = await database.transaction(company.id, async (tx) => {
    await clearLoginAttempts(tx, origin, attempt)
    const change = { action: 'staff.confirm', memberId: null, details: {} }
    writeAudit(tx, context, context.requestId, change)
    noteSight(tx, company.id, staff.id, passwordTyped)
    return keepDevice(tx, company.id, staff.id, device.token)
  })
  device.keep(kept)
  return null
}

/**
 * Compares the clerk's password and counts the attempt.
 * @returns the stored hash and the attempt, which the caller clears in its own transaction
 * @throws Refusal `tooManyAttempts` or `passwordWrong`
 */
async function checkOwnPassword(
  context: StepsContext<typeof changePassword | typeof confirmPassword>,
  password: string,
): Promise<{ hash: string; origin: Origin; attempt: Attempt }> {
  const { database, company, staff, address, device, fail } = context
  const account = staff.account.toLowerCase()
  const origin = { companyId: company.id, account, address, device: device.token }
  const attempt = await countLoginAttempt(database, origin)
  if (typeof attempt === 'number') return fail('tooManyAttempts', { retryAfter: attempt })
  const { password_hash: hash } = await database.reading(company.id, (tx) =>
    tx.one(readHash, [company.id, staff.id]),
  )
  if (!(await verifyPassword(password, hash))) return fail('passwordWrong')
  await refundAddress(database, origin, attempt)
  return { hash, origin, attempt }
}
