import { login } from '@tillside/contract/auth'
import * as z from 'zod/mini'
import { findCompany } from '../company/find.ts'
import { writeAudit } from '../kit/audit.ts'
import type { PublicVerb } from '../kit/context.ts'
import { statement } from '../kit/database.ts'
import { hashPassword, verifyPassword } from './password.ts'
import { countTry, forgiveTry } from './throttle.ts'
import { makeToken } from './token.ts'

const findStaff = statement(
  `select s.staff_id, s.account, s.first_name, s.last_name, s.password_hash, st.store_code,
     st.name as store_name, st.active, g.version
   from staff s join store st using (company_id, store_code)
     join staff_group g using (company_id, group_code)
   where s.company_id = $1 and s.account_key = $2 and s.disabled_at is null`,
  z.object({
    staff_id: z.string(),
    account: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    password_hash: z.string(),
    store_code: z.string(),
    store_name: z.string(),
    active: z.boolean(),
    version: z.int(),
  }),
)
const insertSession = statement(
  `insert into session (company_id, token_hash, staff_id, permission_version, expires_at)
   values ($1, $2, $3, $4, date_trunc('second', now()) + make_interval(hours => $5))
   returning coalesce(extract(epoch from expires_at), -1)::int as expires_at`,
  z.object({ expires_at: z.int() }),
)

// Compared with when there is no such account, so that this costs the same time as a wrong
// password.
const nobodysHash = hashPassword('no account has this password')

/** Order of refusals: identifier, too many tries, account, password, store. */
export const logIn: PublicVerb<typeof login> = async (
  context,
  { identifier, account, password },
) => {
  const { database, fail } = context
  const company = await findCompany(database, identifier)
  if (company === null) return fail('identifierUnknown')

  const key = account.toLowerCase()
  const retryAfter = await countTry(database, company.id, key, context.address)
  if (retryAfter !== null) return fail('tooManyAttempts', { retryAfter })

  const staff = await database.transaction(company.id, (tx) =>
    tx.maybe(findStaff, [company.id, key]),
  )
  const right = await verifyPassword(password, staff?.password_hash ?? (await nobodysHash))
  if (staff === null) return fail('accountUnknown')
  if (!right) return fail('passwordWrong')
  if (!staff.active) return fail('storeInactive')

  const { token, hash } = makeToken(company.id, staff.staff_id)
  const hours = company.settings.sessionHours
  const store = { code: staff.store_code, name: staff.store_name }
  const session = await database.transaction(company.id, async (tx) => {
    await forgiveTry(tx, company.id, key, context.address)
    const actor = { company, staff: { id: staff.staff_id }, store }
    const change = { action: 'login', memberId: null, details: {} }
    writeAudit(tx, actor, context.requestId, change)
    return tx.one(insertSession, [company.id, hash, staff.staff_id, staff.version, hours])
  })
  return {
    token,
    expiresAt: session.expires_at,
    staff: { account: staff.account, firstName: staff.first_name, lastName: staff.last_name },
    store: { name: store.name, code: store.code },
  }
}
