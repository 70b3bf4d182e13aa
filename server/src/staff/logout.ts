import type { logout } from '@tillside/contract/auth'
import type { Data } from '@tillside/contract/wire/endpoint'
import * as z from 'zod/mini'
import type { Context } from '../database/context.ts'
import { statement } from '../database/database.ts'

const endSession = statement(
  `update session set ended_at = now()
   where company_id = $1 and staff_id = $2 and token_hash = $3 and ended_at is null`,
  z.unknown(),
)

/** The token is invalid on every server process after the commit. */
export async function logOut({
  tx,
  company,
  staff,
  tokenHash,
  changed,
}: Context<typeof logout>): Promise<Data<typeof logout>> {
  await tx.run(endSession, [company.id, staff.id, tokenHash])
  changed({ action: 'logout', memberId: null, details: {} })
  return null
}
