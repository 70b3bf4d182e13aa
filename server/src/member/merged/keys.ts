import * as z from 'zod/mini'
import { statement, type Transaction } from '../../database/database.ts'
import { wholeCompany } from '../../database/reads/whole.ts'

// The keys of merged members. A key is placed by its value, so a member's keys are read from the
// whole company and then changed one by one.

const Key = z.object({ kind: z.string(), value: z.string() })
const readKeys = wholeCompany(
  'select kind, value from member_key where company_id = $1 and member_id = $2',
  Key,
)
const readFirstOwned = wholeCompany(
  `select kind, value from member_key
   where company_id = $1 and member_id = $2 and first_owner = any ($3::uuid[])`,
  Key,
)
const giveKey = statement(
  `update member_key set first_owner = coalesce(first_owner, member_id), member_id = $4
   where company_id = $1 and kind = $2 and value = $3 and member_id <> $4`,
  z.unknown(),
)
const returnKey = statement(
  `update member_key set first_owner = nullif(first_owner, $4), member_id = $4
   where company_id = $1 and kind = $2 and value = $3`,
  z.unknown(),
)

/** Lets all keys of a merged member find the survivor; each remembers its first owner. */
export async function giveKeys(
  tx: Transaction,
  companyId: string,
  { from, to }: { from: string; to: string },
): Promise<void> {
  const keys = await tx.all(readKeys, [companyId, from])
  await Promise.all(keys.map(({ kind, value }) => tx.run(giveKey, [companyId, kind, value, to])))
}

/**
 * Gives keys of a survivor back to a merged member.
 * @param owners the merged member, and those who were merged into them before
 */
export async function returnKeys(
  tx: Transaction,
  companyId: string,
  { from, to }: { from: string; to: string },
  owners: readonly string[],
): Promise<void> {
  const keys = await tx.all(readFirstOwned, [companyId, from, owners])
  await Promise.all(keys.map(({ kind, value }) => tx.run(returnKey, [companyId, kind, value, to])))
}
