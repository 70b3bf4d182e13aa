import { appendFile, chmod, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { backUp, unpackBackup, startFromConfig } from '../../embedded/archive.ts'
import { type Embedded, startEmbedded } from '../../embedded/embedded.ts'
import { makeHome } from '../../embedded/embedded-home.ts'
import { migrate } from '../../database/migrate.ts'

/** A PostgreSQL server and its streaming standby. */
export type WithStandby = {
  /** The owner's addresses. */
  owner: { primary: string; standby(): string }
  /** The addresses for the program's own role. */
  program: { primary: string; standby(): string }
  stopStandby(): Promise<void>
  startStandby(): Promise<void>
  close(): Promise<void>
}

export async function startWithStandby(): Promise<WithStandby> {
  const folder = await mkdtemp(join(tmpdir(), 'tillside-followed-'))
  // The user of the PostgreSQL server must be able to enter the folder; otherwise the data would be
  // stored elsewhere and not be removed.
  await chmod(folder, 0o711)
  const [dataDir, archiveDir] = [join(folder, 'primary'), join(folder, 'archive')]
  const place = join(folder, 'standby')
  const primary = await startFromConfig({ dataDir, archiveDir })
  const program = await migrate(primary.url)
  await backUp(primary.url, dataDir, archiveDir, 1)
  await unpackBackup(archiveDir, place, null)
  const { cluster } = await makeHome(place)
  await rename(join(cluster, 'recovery.signal'), join(cluster, 'standby.signal'))
  const { hostname, port, username, password } = new URL(primary.url)
  const follow = `host=${hostname} port=${port} user=${username} password=${password}`
  await appendFile(join(cluster, 'postgresql.auto.conf'), `primary_conninfo = '${follow}'\n`)
  let standby: Embedded = await startEmbedded(place)
  const at = (url: string): string => {
    const moved = new URL(url)
    moved.port = new URL(standby.url).port
    return moved.href
  }
  return {
    owner: { primary: primary.url, standby: () => standby.url },
    program: { primary: program, standby: () => at(program) },
    async stopStandby() {
      await standby.release()
    },
    async startStandby() {
      standby = await startEmbedded(place)
    },
    async close() {
      await standby.destroy()
      await primary.destroy()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
