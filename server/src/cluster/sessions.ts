import { setTimeout } from 'node:timers/promises'
import * as pg from 'pg'
import * as z from 'zod/mini'

const Moment = z.object({ now: z.string() })
const mostTries = 30

/**
 * Ends the sessions of the program's role that are open now. Requests in progress fail, and
 * commands that run; the program opens new sessions.
 * @throws Error when the role of the command may not end them, or one does not end
 */
export async function endSessions(client: pg.Client): Promise<void> {
  const { rows } = await client.query('select clock_timestamp()::text as now')
  const [moment] = rows.map((row) => Moment.parse(row))
  // A session that is just starting is shown a moment later.
  let quiet = 0
  for (let tries = 0; quiet < 2; tries++) {
    if (tries === mostTries) throw new Error('sessions of servers do not end; stop all servers')
    const ended = await endOlder(client, moment?.now)
    quiet = ended === 0 ? quiet + 1 : 0
    await setTimeout(100)
  }
}

/** @returns how many sessions were found */
async function endOlder(client: pg.Client, moment: string | undefined): Promise<number | null> {
  try {
    const { rowCount } = await client.query(
      `select pg_terminate_backend(pid, 1000) from pg_stat_activity
       where datname = current_database() and usename = 'tillside_app' and backend_start <= $1`,
      [moment],
    )
    return rowCount
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && error.code === '42501')) throw error
    throw new Error(
      'servers are connected, and this role may not end their sessions; stop all servers first, ' +
        'or grant it tillside_app with inherit true',
      { cause: error },
    )
  }
}
