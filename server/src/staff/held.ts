import { LruMap } from 'toad-cache'
import * as z from 'zod/mini'
import type { Caller, Held } from '../database/context.ts'
import { statement, type Transaction } from '../database/database.ts'
import { nowSql, todaySql } from '../database/reads/today.ts'
import type { SessionMemory, Token } from '../http/request.ts'
import { isAliveSql, type ReadSession, readSession } from './session.ts'

// A process remembers the holder of a session: the account, its store, its group, the company. None
// of it is used unless a statement of the same request confirms it: the session's own row is read
// each time, and everything else is the same as long as the company's epoch is (migration
// 0068_session_epoch.sql, docs/decisions/0116-session-epoch.md).

/** About 2 kB each. */
const maxSessions = 2_000

/**
 * SQL: the time of a remembered holder, and no row unless the holder is still the same. `$1` is the
 * company; the other parameters are the values of `Held`, from number `first` on.
 * @returns also the number of the first parameter after them
 */
export function heldSql(first: number): { sql: string; next: number } {
  const [hash, epoch, version, zone, ahead] = [0, 1, 2, 3, 4].map((n) => `$${first + n}`)
  const sql = `select ${nowSql('c')} as now, ${todaySql('c')} as today
   from session se join session_epoch e using (company_id)
     cross join (select ${zone}::text as time_zone, ${ahead}::interval as clock_ahead) c
   where se.company_id = $1 and se.token_hash = ${hash} and ${isAliveSql}
     and e.epoch = ${epoch} and se.permission_version = ${version}`
  return { sql, next: first + 5 }
}

/** The values of the parameters of `heldSql`. */
function heldValues({ hash }: Token, { caller, epoch, clockAhead }: ReadSession): unknown[] {
  return [hash, epoch, caller.seenPermissionVersion, caller.company.timeZone, clockAhead]
}

const confirmHolder = statement(heldSql(2).sql, z.object({ now: z.string(), today: z.string() }))

/** The source of a caller: the memory, confirmed, or the whole session in the database. */
export type CallerSource = 'memory' | 'database'

/** The sessions that one process knows. */
export type Sessions = {
  /**
   * The holder of a session token, as the database has it at this moment: an ended session or a
   * revoked permission is effective with the next request, on every process.
   */
  authenticate(tx: Transaction, token: Token): Promise<Caller | null>
  memory: SessionMemory | undefined
}

/**
 * @param isOn whether the process remembers sessions at all
 * @param count receives the source of each authenticated caller
 */
export function openSessions(
  isOn: boolean,
  count: (source: CallerSource) => void = () => {},
): Sessions {
  const kept = new LruMap<Held>(maxSessions)

  async function confirm(tx: Transaction, token: Token, held: Held): Promise<Caller | null> {
    const time = await tx.maybe(confirmHolder, [token.companyId, ...held.values])
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

  async function read(tx: Transaction, token: Token): Promise<Caller | null> {
    const session = await readSession(tx, token)
    if (session === null) return null
    const { caller, epoch } = session
    if (isOn && epoch !== null)
      kept.set(keyOf(token), {
        caller,
        values: heldValues(token, session),
        clockAhead: session.clockAhead,
      })
    count('database')
    return caller
  }

  const recall = (token: Token): Held | null => kept.get(keyOf(token)) ?? null
  return {
    memory: isOn ? { recall, confirm } : undefined,
    async authenticate(tx, token) {
      const held = recall(token)
      return (held && (await confirm(tx, token, held))) ?? read(tx, token)
    },
  }
}

function keyOf({ hash }: Token): string {
  return hash.toString('latin1')
}
