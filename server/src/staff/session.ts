import { Permission } from '@tillside/contract/permissions'
import * as z from 'zod/mini'
import type { Caller } from '../kit/context.ts'
import { statement, type Transaction } from '../kit/database.ts'
import type { Token } from '../kit/serve.ts'

const findSession = statement(
  `select c.company_id, c.identifier, c.revision, c.time_zone,
     s.staff_id, s.account, s.first_name, s.last_name,
     st.store_code, st.name as store_name, g.group_code, g.permissions, g.menus, g.version,
     se.permission_version, now() as now, (now() at time zone c.time_zone)::date as today
   from session se
   join staff s using (company_id, staff_id)
   join store st using (company_id, store_code)
   join staff_group g using (company_id, group_code)
   join company c using (company_id)
   where se.company_id = $1 and se.token_hash = $2
     and se.ended_at is null and (se.expires_at is null or se.expires_at > now())
     and s.disabled_at is null and st.active`,
  z.object({
    company_id: z.string(),
    identifier: z.string(),
    revision: z.int(),
    time_zone: z.string(),
    staff_id: z.string(),
    account: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    store_code: z.string(),
    store_name: z.string(),
    group_code: z.string(),
    permissions: z.array(Permission),
    menus: z.array(z.string()),
    version: z.int(),
    permission_version: z.int(),
    now: z.string(),
    today: z.string(),
  }),
)

/**
 * Who holds the token at this moment; read anew for every request, so an ended session is dead
 * everywhere at once.
 */
export async function authenticate(tx: Transaction, token: Token): Promise<Caller | null> {
  const row = await tx.maybe(findSession, [token.companyId, token.hash])
  if (row === null) return null
  return {
    company: {
      id: row.company_id,
      identifier: row.identifier,
      revision: row.revision,
      timeZone: row.time_zone,
    },
    staff: {
      id: row.staff_id,
      account: row.account,
      firstName: row.first_name,
      lastName: row.last_name,
    },
    store: { code: row.store_code, name: row.store_name },
    group: { code: row.group_code, permissionVersion: row.version, menus: row.menus },
    permissions: new Set(row.permissions),
    seenPermissionVersion: row.permission_version,
    now: row.now,
    today: row.today,
  }
}
