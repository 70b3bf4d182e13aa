import {
  chown,
  copyFile,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import * as pg from 'pg'
import type { Config } from '../process/config.ts'
import { type Embedded, startEmbedded } from './embedded.ts'
import { chownToServer, type Home, isReachable, makeHome } from './embedded-home.ts'
import { isAlive } from './postmaster.ts'

// The archive of the embedded PostgreSQL, for point-in-time recovery: `wal` has the archived
// write-ahead log, and each `base-…` is a base backup.

export const walOf = (archive: string): string => join(archive, 'wal')

/** Starts the embedded PostgreSQL as the environment configures it, or uses the running one. */
export async function startFromConfig({
  dataDir,
  archiveDir,
}: Pick<Config, 'dataDir' | 'archiveDir'>): Promise<Embedded> {
  return startEmbedded(
    dataDir,
    false,
    archiveDir === null ? {} : await archiveSettings(dataDir, archiveDir),
  )
}

/**
 * Settings with which the embedded PostgreSQL of `dataDir` archives its write-ahead log, at the
 * latest after a minute.
 * @throws Error with one line when the folder cannot be used
 */
async function archiveSettings(dataDir: string, archive: string): Promise<Record<string, string>> {
  const home = await makeHome(dataDir)
  const wal = walOf(archive)
  await mkdir(wal, { recursive: true })
  if (home.owner !== null && !(await isReachable(join(wal, 'x')))) {
    throw new Error(`ARCHIVE_DIR ${archive} is writable only by root`)
  }
  await chownToServer(home, wal)
  // Renamed at the end, so that an archived file is complete. A file that exists with the same
  // content counts as archived.
  // The copy keeps the time of the last change (`-p`), by which a restore knows the archive's end.
  const [target, part] = [`"${wal}/%f"`, `"${wal}/%f.part"`]
  const copy = `cp -p "%p" ${part} && sync ${part} && mv ${part} ${target}`
  return {
    archive_mode: 'on',
    archive_timeout: '60',
    archive_command: `cmp -s "%p" ${target} || { test ! -e ${target} && ${copy}; }`,
  }
}

// A starting server fills these folders itself; copied files would be taken for its own state.
const emptyInCopy =
  /^(pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)$/
const notCopied = /^(postmaster\.(pid|opts)|pgsql_tmp.*|.*\.signal)$/

/**
 * Takes a base backup of the running server of `dataDir` into the archive.
 * @param keep how many backups to keep; WAL that only older ones need is removed
 * @returns the backup's folder
 */
export async function backUp(
  ownerUrl: string,
  dataDir: string,
  archive: string,
  keep: number,
): Promise<string> {
  const home = await makeHome(dataDir)
  const partial = join(archive, `partial-${process.pid}`)
  await removePartialBackups(archive)
  // The connection that starts the backup must also end it.
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ archive_mode: string }>('show archive_mode')
    if (rows[0]?.archive_mode !== 'on') {
      throw new Error('PostgreSQL runs without an archive; restart it with ARCHIVE_DIR set')
    }
    await client.query(`select pg_backup_start('tillside', fast => true)`)
    await mkdir(partial, { recursive: true, mode: 0o700 })
    await copyTree(home.cluster, join(partial, 'cluster'), home.owner)
    await copyFile(join(home.folder, 'password'), join(partial, 'password'))
    const stopped = await client.query<{ labelfile: string; at: Date }>(
      `select labelfile, clock_timestamp() as at from pg_backup_stop(wait_for_archive => true)`,
    )
    const [stop] = stopped.rows
    if (stop === undefined) throw new Error('PostgreSQL returned no backup label')
    const label = join(partial, 'cluster/backup_label')
    await writeFile(label, stop.labelfile)
    await chownToServer(home, label)
    const done = join(archive, backupName(stop.at))
    await rename(partial, done)
    await removeOldBackups(archive, keep)
    return done
  } finally {
    await client.end()
    await rm(partial, { recursive: true, force: true })
  }
}

/** Copies a folder. Files that disappear meanwhile are not needed. */
async function copyTree(from: string, to: string, owner: number | null): Promise<void> {
  await mkdir(to, { mode: 0o700 })
  if (owner !== null) await chown(to, owner, owner)
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (notCopied.test(entry.name)) continue
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) {
      if (!emptyInCopy.test(entry.name)) await copyTree(source, target, owner)
      else {
        await mkdir(target, { mode: 0o700 })
        if (owner !== null) await chown(target, owner, owner)
      }
    } else if (await copyUnlessGone(source, target)) {
      if (owner !== null) await chown(target, owner, owner)
    }
  }
}

async function copyUnlessGone(source: string, target: string): Promise<boolean> {
  try {
    await copyFile(source, target)
    return true
  } catch (error) {
    if ((await lstat(source).catch(() => null)) === null) return false
    throw error
  }
}

/** Removes the unfinished backups of processes that were killed. */
async function removePartialBackups(archive: string): Promise<void> {
  for (const name of await readdir(archive)) {
    const [, pid] = /^partial-(\d+)$/.exec(name) ?? []
    if (pid !== undefined && !isAlive(Number(pid))) {
      await rm(join(archive, name), { recursive: true, force: true })
    }
  }
}

/** A backup's name: the time at which it was complete, to the millisecond. */
function backupName(moment: Date): string {
  return `base-${moment.toISOString().replaceAll(/[-:.]/g, '')}`
}

/** The backups, oldest first. */
async function listBackups(archive: string): Promise<string[]> {
  const names = await readdir(archive).catch(() => [])
  return names.filter((name) => /^base-\d{8}T\d{9}Z$/.test(name)).sort()
}

async function removeOldBackups(archive: string, keep: number): Promise<void> {
  const all = await listBackups(archive)
  const [oldest] = all.slice(-keep)
  for (const old of all.slice(0, -keep)) {
    await rm(join(archive, old), { recursive: true, force: true })
  }
  if (oldest === undefined) return
  const label = await readFile(join(archive, oldest, 'cluster/backup_label'), 'utf8')
  const needed = /\(file ([0-9A-F]{24})\)/.exec(label)?.[1]
  if (needed === undefined) return
  for (const name of await readdir(walOf(archive))) {
    const isOlder = /^[0-9A-F]{24}/.test(name) && name.slice(0, 24) < needed
    if (isOlder) await rm(join(walOf(archive), name), { force: true })
  }
}

/**
 * Copies the latest base backup from before `moment`, or the latest one, into a folder without a
 * database, and sets it up so that a server that starts there recovers to `moment`, or to the end
 * of the archive.
 * @throws Error with one line when there is no such backup
 */
export async function unpackBackup(
  archive: string,
  folder: string,
  moment: Date | null,
): Promise<void> {
  const limit = moment === null ? '~' : backupName(moment)
  const base = (await listBackups(archive)).findLast((name) => name <= limit)
  if (base === undefined) throw new Error(`${archive} has no backup from before that time`)
  const home = await makeHome(folder)
  if ((await lstat(home.cluster).catch(() => null)) !== null) {
    throw new Error(`there is a database in ${folder} already`)
  }
  const [partial, password] = [`${home.cluster}.partial`, join(home.folder, 'password')]
  await rm(partial, { recursive: true, force: true })
  try {
    await copyTree(join(archive, base, 'cluster'), partial, home.owner)
    await copyFile(join(archive, base, 'password'), password)
    await chownToServer(home, password)
    await configureRecovery(archive, home, partial, moment)
    await rename(partial, home.cluster)
  } catch (error) {
    await rm(partial, { recursive: true, force: true })
    await rm(password, { force: true })
    throw error
  }
}

async function configureRecovery(
  archive: string,
  home: Home,
  cluster: string,
  moment: Date | null,
): Promise<void> {
  const settings = [
    `restore_command = 'cp "${walOf(archive)}/%f" "%p"'`,
    ...(moment === null
      ? []
      : [`recovery_target_time = '${moment.toISOString().replace('Z', '+00')}'`]),
    `recovery_target_action = 'promote'`,
  ]
  await writeFile(join(cluster, 'recovery.signal'), '')
  await chownToServer(home, join(cluster, 'recovery.signal'))
  await writeFile(join(cluster, 'postgresql.auto.conf'), settings.join('\n') + '\n', { flag: 'a' })
}
