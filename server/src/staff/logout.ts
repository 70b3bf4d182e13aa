import type { logout } from '@tillside/contract/auth'
import * as z from 'zod/mini'
import type { Verb } from '../database/context.ts'
import { statement } from '../database/database.ts'

const endSession = statement(
  `update session set ended_at = now()
   where company_id = $1 and token_hash = $2 and ended_at is null`,
  z.unknown(),
)

/** The token is dead on every server process once this has committed. */
export const logOut: Verb<typeof logout> = async ({ tx, company, tokenHash, changed }) => {
  await tx.run(endSession, [company.id, tokenHash])
  changed({ action: 'logout', memberId: null, details: {} })
  return null
}
