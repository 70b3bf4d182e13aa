import * as z from 'zod/mini'
import { statement, type Transaction } from '../database/database.ts'

const setTier = statement(
  `update member_tier set tier_code = $3, start_date = $4, expiry_date = $5
   where company_id = $1 and member_id = $2`,
  z.unknown(),
)

/**
 * Gives a member another tier, or another period of the same one.
 * @param startDate the first day of the period, YYYY-MM-DD
 * @param expiryDate its last day; null means that it never ends
 */
export async function moveToTier(
  tx: Transaction,
  company: { id: string },
  memberId: string,
  { code, startDate, expiryDate }: { code: string; startDate: string; expiryDate: string | null },
): Promise<void> {
  await tx.run(setTier, [company.id, memberId, code, startDate, expiryDate])
}
