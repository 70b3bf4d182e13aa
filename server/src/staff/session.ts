import type { LoginInfo } from '@tillside/contract/auth'
import { Permission } from '@tillside/contract/wire/permissions'
import * as z from 'zod/mini'
import { settingsOf } from '../company/settings.ts'
import { writeAudit } from '../database/audit.ts'
import type { Caller } from '../database/context.ts'
import { statement, type Transaction } from '../database/database.ts'
import type { Token } from '../http/request.ts'
import { makeToken } from './token.ts'
import { nowSql, todaySql } from '../database/reads/today.ts'
import { noteSight, passwordTyped } from './throttle/sights.ts'

/** SQL: whether the row `se` is a session that has not ended. */
export const isAliveSql = 'se.ended_at is null and (se.expires_at is null or se.expires_at > now())'

/** The session `$2` of company `$1` and account `$3`. Other tables' columns change the epoch. */
export const findSession = statement(
  `select c.company_id, c.identifier, c.revision, c.time_zone,
     c.clock_ahead::text as clock_ahead, e.epoch, s.staff_id, s.account, s.first_name, s.last_name,
     st.store_code, st.name as store_name, g.group_code, g.permissions, g.menus, g.version,
     se.permission_version, ${nowSql('c')} as now, ${todaySql('c')} as today
   from session se
   join staff s using (company_id, staff_id)
   join store st using (company_id, store_code)
   join staff_group g using (company_id, group_code)
   join company c using (company_id)
   left join session_epoch e using (company_id)
   where se.company_id = $1 and se.token_hash = $2 and se.staff_id = $3 and ${isAliveSql}
     and s.disabled_at is null and st.active`,
  z.object({
    company_id: z.string(),
    identifier: z.string(),
    revision: z.int(),
    time_zone: z.string(),
    clock_ahead: z.string(),
    epoch: z.nullable(z.string()),
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

/** What a process may remember of a session; `epoch` is null where the company has none. */
export type ReadSession = { caller: Caller; epoch: string | null; clockAhead: string }

/** Reads the holder of a session token; null when the token is unknown or no longer valid. */
export async function readSession(tx: Transaction, token: Token): Promise<ReadSession | null> {
  const row = await tx.maybe(findSession, [token.companyId, token.hash, token.staffId])
  if (row === null) return null
  const settings = await settingsOf(tx, { id: row.company_id, revision: row.revision })
  const hasMemberModule = settings.menus.some(
    ({ id, identifier }) => identifier === 'member' && row.menus.includes(id),
  )
  const caller: Caller = {
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
    isSystem: false,
    store: { code: row.store_code, name: row.store_name },
    group: { code: row.group_code, permissionVersion: row.version, menus: row.menus },
    hasMemberModule,
    permissions: new Set(hasMemberModule ? row.permissions : []),
    seenPermissionVersion: row.permission_version,
    now: row.now,
    today: row.today,
  }
  return { caller, epoch: row.epoch, clockAhead: row.clock_ahead }
}

// The rows are locked until the session exists. So disabling the account or changing its password
// at the same moment either ends the new session or is seen here. Not `for share`: on a cluster
// two logins with shared locks wait for each other.
const holdStaff = statement(
  `select s.staff_id, s.account, s.first_name, s.last_name, st.store_code,
     st.name as store_name, st.active, g.version, c.revision
   from staff s join store st using (company_id, store_code)
     join staff_group g using (company_id, group_code) join company c using (company_id)
   where s.company_id = $1 and s.staff_id = $2 and s.disabled_at is null
     and ($3::text is null or s.password_hash = $3) for no key update of s, st`,
  z.object({
    staff_id: z.string(),
    account: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    store_code: z.string(),
    store_name: z.string(),
    active: z.boolean(),
    version: z.int(),
    revision: z.int(),
  }),
)
const insertSession = statement(
  `insert into session (company_id, token_hash, staff_id, permission_version, expires_at)
   values ($1, $2, $3, $4, date_trunc('second', now()) + make_interval(hours => $5))
   returning expires_at`,
  z.object({ expires_at: z.nullable(z.string()) }),
)

export type SessionRequest = {
  companyId: string
  staffId: string
  /** The hash that the password was compared with; null for a login without a password. */
  passwordHash: string | null
  requestId: string
  /** The way of logging in, for the audit log. */
  by: 'password' | 'link'
}

/**
 * Opens a session for an authenticated staff member.
 * @returns the data for the portal; `gone` when the account was disabled or its password changed
 */
export async function openSession(
  tx: Transaction,
  { companyId, staffId, passwordHash, requestId, by }: SessionRequest,
): Promise<LoginInfo | 'gone' | 'storeInactive'> {
  const staff = await tx.maybe(holdStaff, [companyId, staffId, passwordHash])
  if (staff === null) return 'gone'
  if (!staff.active) return 'storeInactive'
  const { sessionHours } = await settingsOf(tx, { id: companyId, revision: staff.revision })
  const { token, hash } = makeToken(companyId, staffId)
  const store = { code: staff.store_code, name: staff.store_name }
  const actor = { company: { id: companyId }, staff: { id: staffId }, store }
  writeAudit(tx, actor, requestId, { action: 'login', memberId: null, details: { by } })
  noteSight(tx, companyId, staffId, passwordTyped)
  const row = [companyId, hash, staffId, staff.version, sessionHours]
  const { expires_at: expires } = await tx.one(insertSession, row)
  return {
    token,
    expiresAt: expires === null ? -1 : Date.parse(expires) / 1000,
    staff: { account: staff.account, firstName: staff.first_name, lastName: staff.last_name },
    store: { name: store.name, code: store.code },
  }
}
