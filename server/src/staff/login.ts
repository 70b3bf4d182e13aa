import { login } from '@tillside/contract/auth'
import type { Data, Input } from '@tillside/contract/wire/endpoint'
import * as z from 'zod/mini'
import { findCompany } from '../company/find.ts'
import type { PublicContext } from '../database/context.ts'
import { statement } from '../database/database.ts'
import { hashPassword, verifyPassword } from './password.ts'
import { openSession } from './session.ts'
import { clearLoginAttempts, countLoginAttempt, refundAddress } from './throttle/attempts.ts'
import { keepDevice } from './throttle/device.ts'

const findStaff = statement(
  `select staff_id, password_hash from staff
   where company_id = $1 and account_key = $2 and disabled_at is null`,
  z.object({ staff_id: z.string(), password_hash: z.string() }),
)

// Compared when the account does not exist. The refusal says so, but the time does not: if one
// refusal replaced `accountUnknown` and `passwordWrong`, nothing would.
const dummyHash = hashPassword('no account has this password')

/** Order of refusals: identifier, too many attempts, account, password, store. */
export async function logIn(
  context: PublicContext<typeof login>,
  { identifier, account, password }: Input<typeof login>,
): Promise<Data<typeof login>> {
  const { database, fail } = context
  const company = await findCompany(database, identifier)
  if (company === null) return fail('identifierUnknown')

  const key = account.toLowerCase()
  const { address, device } = context
  const origin = { companyId: company.id, account: key, address, device: device.token }
  const attempt = await countLoginAttempt(database, origin)
  if (typeof attempt === 'number') return fail('tooManyAttempts', { retryAfter: attempt })

  const staff = await database.transaction(company.id, (tx) =>
    tx.maybe(findStaff, [company.id, key]),
  )
  const right = await verifyPassword(password, staff?.password_hash ?? (await dummyHash))
  if (staff === null) return fail('accountUnknown')
  if (!right) return fail('passwordWrong')
  await refundAddress(database, origin, attempt)

  const opened = await database.transaction(company.id, async (tx) => {
    const { staff_id: staffId, password_hash: passwordHash } = staff
    const { requestId } = context
    const who = { companyId: company.id, staffId, passwordHash }
    const session = await openSession(tx, { ...who, requestId, by: 'password' })
    if (typeof session === 'string') return session
    await clearLoginAttempts(tx, origin, attempt)
    return { session, kept: await keepDevice(tx, company.id, staffId, device.token) }
  })
  // The password was changed after the comparison.
  if (opened === 'gone') return fail('passwordWrong')
  if (opened === 'storeInactive') return fail('storeInactive')
  device.keep(opened.kept)
  return opened.session
}
