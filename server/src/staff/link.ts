import type { LoginInfo, noPasswordLogin } from '@tillside/contract/auth'
import type { Data, Input } from '@tillside/contract/wire/endpoint'
import * as z from 'zod/mini'
import { findCompany as findNamed } from '../company/find.ts'
import { writeAudit } from '../database/audit.ts'
import type { PublicContext } from '../database/context.ts'
import { statement, type Transaction } from '../database/database.ts'
import type { Token } from '../http/request.ts'
import { Refusal } from '../text/fail.ts'
import { removeLinks } from './accounts.ts'
import { openSession } from './session.ts'
import { takeFromAddress, waitOfAddress } from './throttle/address.ts'
import { keepDevice } from './throttle/device.ts'
import { makeToken, parseToken } from './token.ts'

const findCompany = statement('select from company where company_id = $1', z.unknown())
const findHolder = statement(
  `select s.staff_id, s.account, s.disabled_at is not null as disabled, st.active
   from staff s join store st using (company_id, store_code)
   where s.company_id = $1 and s.account_key = lower($2) for no key update of s`,
  z.object({
    staff_id: z.string(),
    account: z.string(),
    disabled: z.boolean(),
    active: z.boolean(),
  }),
)
const insert = statement(
  `insert into access_link (company_id, token_hash, staff_id, expires_at)
   values ($1, $2, $3, now() + make_interval(mins => $4)) returning expires_at`,
  z.object({ expires_at: z.string() }),
)
// Locked first, as by every change of the account: otherwise the two could wait for each other.
const lockHolder = statement(
  'select from staff where company_id = $1 and staff_id = $2 for no key update',
  z.unknown(),
)
const use = statement(
  `update access_link set used_at = now()
   where company_id = $1 and staff_id = $2 and token_hash = $3 and used_at is null
     and expires_at > now()`,
  z.unknown(),
)

/**
 * Creates the token of a link that logs one account in, once. Only the token's hash is stored. The
 * account's earlier links stop working.
 * @param minutes at most 10
 * @throws Error when the account does not exist, is disabled or belongs to a closed store
 */
export async function createLink(
  tx: Transaction,
  companyId: string,
  account: string,
  minutes: number,
): Promise<{ account: string; token: string; expiresAt: string }> {
  const holder = await tx.maybe(findHolder, [companyId, account])
  if (holder === null) throw new Error(`there is no account "${account}"`)
  if (holder.disabled) throw new Error(`the account "${account}" is disabled`)
  if (!holder.active) throw new Error(`the store of "${account}" is inactive`)
  await removeLinks(tx, companyId, holder.staff_id)
  const { token, hash } = makeToken(companyId, holder.staff_id)
  const row = await tx.one(insert, [companyId, hash, holder.staff_id, minutes])
  const actor = { company: { id: companyId }, staff: null, store: null }
  const details = { account: holder.account, minutes }
  writeAudit(tx, actor, 'command', { action: 'link.create', memberId: null, details })
  return { account: holder.account, token, expiresAt: row.expires_at }
}

/**
 * Logs in by a link. Of many concurrent uses, on any server process, one succeeds. Order of
 * refusals: not one of our links, too many attempts, used or expired or its account disabled, store
 * inactive.
 */
export async function useLink(
  context: PublicContext<typeof noPasswordLogin>,
  input: Input<typeof noPasswordLogin>,
): Promise<Data<typeof noPasswordLogin>> {
  const { database, address, device, fail } = context
  const link = parseToken(input.accessToken)
  if (link === null) return fail('linkInvalid')
  const { companyId } = link
  // The company id in the token is not trusted yet.
  const known = await database.reading(companyId, (tx) => tx.run(findCompany, [companyId]))
  if (known === 0) return fail('linkInvalid')
  // A link that is opened at another company's address stays valid.
  if (input.identifier !== undefined) {
    const named = await findNamed(database, input.identifier)
    if (named?.id !== companyId) return fail('linkInvalid')
  }
  const retryAfter = await waitOfAddress(database, 'link', address)
  if (retryAfter !== null) return fail('tooManyAttempts', { retryAfter })
  try {
    const opened = await openByLink(context, link)
    device.keep(opened.kept)
    return opened.session
  } catch (error) {
    // Only a failed use counts. Of many at once, those beyond the limit are refused here.
    const wait = error instanceof Refusal ? await takeFromAddress(database, 'link', address) : null
    if (wait !== null) return fail('tooManyAttempts', { retryAfter: wait })
    throw error
  }
}

/** Uses the link and opens the session in one transaction. @throws Refusal */
function openByLink(
  { database, device, requestId, fail }: PublicContext<typeof noPasswordLogin>,
  { companyId, staffId, hash }: Token,
): Promise<{ session: LoginInfo; kept: string }> {
  return database.transaction(companyId, async (tx) => {
    const [, used] = await Promise.all([
      tx.run(lockHolder, [companyId, staffId]),
      tx.run(use, [companyId, staffId, hash]),
    ])
    if (used === 0) return fail('linkInvalid')
    const who = { companyId, staffId, passwordHash: null }
    const session = await openSession(tx, { ...who, requestId, by: 'link' })
    if (session === 'gone') return fail('linkInvalid')
    if (session === 'storeInactive') return fail('storeInactive')
    return { session, kept: await keepDevice(tx, companyId, staffId, device.token) }
  })
}
