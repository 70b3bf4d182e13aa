import * as pg from 'pg'

/**
 * Ends the sessions of the program's role. A session that was opened before its database became a
 * cluster does not send its company to the nodes, so it would see no rows there, and the program
 * asks once for each connection whether changes have to be committed in two phases. The requests
 * of the sessions fail; the program opens others.
 * @throws Error when the role of the command may not end them
 */
export async function endSessions(client: pg.Client): Promise<void> {
  try {
    await client.query(
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity
       where datname = current_database() and usename = 'tillside_app'
         and pid <> pg_backend_pid()`,
    )
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && error.code === '42501')) throw error
    throw new Error(
      'servers are connected, and this role may not end their sessions; stop all servers first, ' +
        'or grant pg_signal_backend to it',
      { cause: error },
    )
  }
}
