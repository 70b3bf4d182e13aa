import { inject } from 'vitest'
import { asOptions, sessionSettings } from '../../database/connection/session-settings.ts'
import { type Database, openDatabase } from '../../database/database.ts'
import { type Command, openRelay } from './relay.ts'

/** The program's database, and the commands that the coordinator has sent to the nodes for it. */
export type Relayed = { database: Database; commands: Command[]; close(): Promise<void> }

/** Opens the program's database through a relay. A test may empty `commands`. */
export async function openRelayed(): Promise<Relayed> {
  const commands: Command[] = []
  const url = new URL(inject('databaseUrl'))
  const relay = await openRelay(url.hostname, Number(url.port), (one) => commands.push(one))
  url.hostname = '127.0.0.1'
  url.port = String(relay.port)
  const settings = { ...sessionSettings(true), 'citus.log_remote_commands': 'on' }
  url.searchParams.set('options', asOptions(settings))
  // With one connection, none is opened within a call.
  const database = openDatabase(url.href, 1)
  const close = async () => {
    await database.close()
    relay.close()
  }
  return { database, commands, close }
}
