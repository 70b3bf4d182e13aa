import { spawn } from 'node:child_process'
import { chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getuid } from 'node:process'
import type { TestProject } from 'vitest/node'
import { projectRoot } from '../../process/config.ts'
import { debianProgram } from './debian.ts'
import { freePort } from './port.ts'
import { startPostgres } from './postgres.ts'

// pgbouncer refuses to run as root.
const nobody = 65534

/**
 * A test database that the program reaches through Debian's pgbouncer with ops/pgbouncer.ini. The
 * pool is small, so successive transactions use different connections.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startPostgres()
  const pooler = await startPooler(new URL(postgres.databaseUrl))
  project.provide('ownerUrl', postgres.ownerUrl)
  project.provide('databaseUrl', pooler.url)
  return async () => {
    await pooler.close()
    await postgres.stop()
  }
}

async function startPooler(direct: URL): Promise<{ url: string; close(): Promise<void> }> {
  const program = debianProgram('/usr/sbin/pgbouncer', 'pgbouncer')
  const folder = await mkdtemp(join(tmpdir(), 'tillside-pgbouncer-'))
  const port = await freePort()
  const settings = [
    ['tillside = host=127.0.0.1 port=5432', `* = host=${direct.hostname} port=${direct.port}`],
    ['listen_port = 6432', `listen_port = ${port}`],
    ['/etc/pgbouncer/userlist.txt', join(folder, 'userlist.txt')],
    ['default_pool_size = 20', 'default_pool_size = 4'],
    // Tests on a busy machine may wait longer than a clerk would.
    ['query_wait_timeout = 3', 'query_wait_timeout = 30\nunix_socket_dir ='],
  ] as const
  let file = await readFile(join(projectRoot, 'ops/pgbouncer.ini'), 'utf8')
  for (const [before, after] of settings) {
    if (!file.includes(before)) throw new Error(`pgbouncer.ini has no "${before}"`)
    file = file.replace(before, after)
  }
  const files = { 'pgbouncer.ini': file, 'userlist.txt': userOf(direct) }
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  const asNobody = getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}
  if (asNobody.uid !== undefined) await chown(folder, nobody, nobody)
  const ini = join(folder, 'pgbouncer.ini')
  const child = spawn(program, ['-q', ini], { stdio: ['ignore', 'ignore', 'inherit'], ...asNobody })
  const ended = new Promise((done) => child.once('close', done))
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error('pgbouncer did not start')
  }
  const url = new URL(direct)
  url.host = `127.0.0.1:${port}`
  url.searchParams.set('pooler', 'transaction')
  return {
    url: url.href,
    async close() {
      child.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function userOf({ username, password }: URL): string {
  return `"${decodeURIComponent(username)}" "${decodeURIComponent(password)}"\n`
}

function answers(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => (socket.destroy(), done(true)))
    socket.once('error', () => setTimeout(() => done(false), 20))
  })
}
