import { LruMap } from 'toad-cache'
import * as z from 'zod/mini'
import type { Caller, Held } from '../database/context.ts'
import { statement, type Transaction } from '../database/database.ts'
import { nowSql, todaySql } from '../database/reads/today.ts'
import type { Token } from '../http/request.ts'
import { isAliveSql, readSession } from './session.ts'

// A process remembers the holder of a session or of an API key: the account, its store, its group,
// the company; of a key the scopes and all stores. None of it is used unless a statement of the
// same request confirms it: the row of the session or key is read each time, and everything else
// is the same as long as the company's epoch is (migration 0068_session_epoch.sql,
// docs/decisions/0116-session-epoch.md).

/** About 2 kB each. */
const maxHolders = 2_000

/**
 * SQL: the time of a remembered holder, and no row unless the holder is still the same. `$1` is the
 * company; the other parameters are the values of `Held`, from number `first` on. A key has no
 * permission version; the statement of a `key` takes the first four values only. Of `either`,
 * PostgreSQL looks up only one of the two tables, but prepares to read both, which costs each
 * statement 4 % of a look-up.
 * @returns also the number of the first parameter after them
 */
export function heldSql(
  first: number,
  kind: 'session' | 'key' | 'either' = 'either',
): { sql: string; next: number } {
  const [hash, epoch, zone, ahead, version, staff] = [0, 1, 2, 3, 4, 5].map((n) => `$${first + n}`)
  const key = `exists (select from api_key k
     where k.company_id = $1 and k.key_hash = ${hash}::bytea and k.revoked_at is null)`
  const session = `exists (select from session se
     where se.company_id = $1 and se.token_hash = ${hash} and se.staff_id = ${staff}
       and ${isAliveSql} and se.permission_version = ${version})`
  const either = `case when ${version}::int is null then ${key} else ${session} end`
  const isAlive = { key, session, either }[kind]
  const sql = `select ${nowSql('c')} as now, ${todaySql('c')} as today
   from session_epoch e
     cross join (select ${zone}::text as time_zone, ${ahead}::interval as clock_ahead) c
   where e.company_id = $1 and e.epoch = ${epoch} and ${isAlive}`
  return { sql, next: first + (kind === 'key' ? 4 : 6) }
}

function confirmation(kind: 'session' | 'key') {
  const { sql, next } = heldSql(2, kind)
  const s = statement(sql, z.object({ now: z.string(), today: z.string() }))
  return (tx: Transaction, companyId: string, { values }: Pick<Held, 'values'>) =>
    tx.maybe(s, [companyId, ...values].slice(0, next - 1))
}
const confirmations = { session: confirmation('session'), key: confirmation('key') }

/** The source of a caller: the memory, confirmed, or the database in full. */
export type CallerSource = 'memory' | 'database'

type Holder = { company: { timeZone: string }; now: string; today: string }

/** A holder as the database has it; `epoch` is null where the company has none. */
export type ReadHolder<C extends Holder> = {
  caller: C
  /** The version of the permissions that a session has relied on; null for an API key. */
  version: number | null
  epoch: string | null
  clockAhead: string
}

/** A holder as an earlier request of this process has read it. */
export type HeldHolder<C extends Holder> = Omit<Held, 'caller'> & { caller: C }

/** The remembered holders of one kind, sessions or keys. */
export type Memory<C extends Holder> = {
  recall: (token: Token) => HeldHolder<C> | null
  /**
   * Confirms a remembered holder with one short statement.
   * @returns null when anything about the holder has changed
   */
  confirm(tx: Transaction, token: Token, held: HeldHolder<C>): Promise<C | null>
}

/** The holders of one kind that one process knows. */
export type Holders<C extends Holder> = {
  /**
   * The holder of a token, as the database has it at this moment: an ended session, a revoked key
   * or a revoked permission is effective with the next request, on every process.
   */
  authenticate: (tx: Transaction, token: Token) => Promise<C | null>
  memory: Memory<C> | undefined
}

/**
 * @param isOn whether the process remembers holders at all
 * @param count receives the source of each authenticated caller
 * @param readWhole reads a holder from the database
 */
export function openHolders<C extends Holder>(
  kind: 'session' | 'key',
  isOn: boolean,
  count: (source: CallerSource) => void,
  readWhole: (tx: Transaction, token: Token) => Promise<ReadHolder<C> | null>,
): Holders<C> {
  const kept = new LruMap<HeldHolder<C>>(maxHolders)

  async function confirm(tx: Transaction, token: Token, held: HeldHolder<C>): Promise<C | null> {
    const time = await confirmations[kind](tx, token.companyId, held)
    const key = keyOf(token)
    if (time === null) {
      if (kept.get(key) === held) kept.delete(key)
      return null
    }
    count('memory')
    const caller = { ...held.caller, ...time }
    if (time.today !== held.caller.today && kept.get(key) === held)
      kept.set(key, { ...held, caller })
    return caller
  }

  async function read(tx: Transaction, token: Token): Promise<C | null> {
    const found = await readWhole(tx, token)
    if (found === null) return null
    const { caller, version, epoch, clockAhead } = found
    const { hash, staffId } = token
    const values = [hash, epoch, caller.company.timeZone, clockAhead, version, staffId]
    if (isOn && epoch !== null) kept.set(keyOf(token), { caller, values, epoch, clockAhead })
    count('database')
    return caller
  }

  const recall = (token: Token): HeldHolder<C> | null => kept.get(keyOf(token)) ?? null
  return {
    memory: isOn ? { recall, confirm } : undefined,
    async authenticate(tx, token) {
      const held = recall(token)
      return (held && (await confirm(tx, token, held))) ?? read(tx, token)
    },
  }
}

/** The sessions that one process knows; the parameters are those of `openHolders`. */
export function openSessions(
  isOn: boolean,
  count: (source: CallerSource) => void = () => {},
): Holders<Caller> {
  return openHolders('session', isOn, count, async (tx, token) => {
    const session = await readSession(tx, token)
    return session && { ...session, version: session.caller.seenPermissionVersion }
  })
}

function keyOf({ hash }: Token): string {
  return hash.toString('latin1')
}
