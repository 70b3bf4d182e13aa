import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { removeEmbedded } from '../embedded/embedded.ts'
import { projectRoot } from '../process/config.ts'
import { freePort } from '../testing/servers/port.ts'
import { killPostgres } from './postgres.ts'

// A disk in memory that is filled while a server runs. no-room.slow.test.ts has a first start.
const disk = await mkdtemp(join(tmpdir(), 'tillside-small-'))
const mount = (options: string): number | null =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', disk]).status
const isMounted = mount('size=20m,mode=0711') === 0
if (!isMounted) {
  console.warn('NOT TESTED: a disk without space. Only root can make a small one.')
  await rm(disk, { recursive: true })
}

const { PATH = '', HOME = '' } = process.env
const environment = { PATH, HOME, DATA_DIR: join(disk, 'data'), NODE_ENV: 'production' }
let server: ChildProcess | undefined

function tillside(...words: string[]) {
  const program = join(projectRoot, 'tools/tillside.mjs')
  return spawnSync(process.execPath, [program, ...words], { env: environment, encoding: 'utf8' })
}
const aurora = ['company', 'apply', join(projectRoot, 'companies/aurora')]

describe.skipIf(!isMounted)('a disk without space', () => {
  afterAll(async () => {
    server?.kill('SIGKILL')
    await removeEmbedded(environment.DATA_DIR)
    spawnSync('umount', ['-l', disk])
    await rm(disk, { recursive: true, force: true })
  })

  test('that was too small for a first start is used when it has become larger', async () => {
    expect(tillside(...aurora).status).toBe(1)
    expect(mount('remount,size=250m')).toBe(0)
    expect(tillside(...aurora).status).toBe(0)
  }, 60_000)

  test('stops a running server only for as long as it is full', async () => {
    const log = join(disk, 'log')
    const port = await freePort()
    const fd = openSync(log, 'a')
    server = spawn(process.execPath, [join(projectRoot, 'server/src/main.ts')], {
      env: { ...environment, PORT: String(port), JOBS: '0' },
      stdio: ['ignore', fd, fd],
    })
    closeSync(fd)
    const status = (path: string): Promise<number> =>
      fetch(`http://127.0.0.1:${port}${path}`).then(
        (answer) => answer.status,
        () => 0,
      )
    while ((await status('/readyz')) !== 200) await sleep(100)

    const ballast = join(disk, 'ballast')
    await fill(ballast)
    killPostgres(environment.DATA_DIR, false)
    while ((await status('/readyz')) !== 503) await sleep(50)
    // It tries to start PostgreSQL several times, and writes to its log.
    for (let n = 0; n < 40; n++) {
      await fill(ballast)
      await status('/web/api/v1/connector/tier/list')
      await sleep(100)
    }
    expect(server.exitCode).toBe(null)
    const failing = tillside('company', 'list')
    expect(failing.status).toBe(1)
    expect(failing.stderr).toMatch(
      /^Database: .*\nPostgreSQL did not start: the disk is full; see .*\n$/,
    )

    await rm(ballast)
    const until = performance.now() + 30_000
    while ((await status('/readyz')) !== 200) {
      expect(performance.now()).toBeLessThan(until)
      await sleep(100)
    }
    const listed = tillside('company', 'list', '--json')
    expect(JSON.parse(listed.stdout)).toMatchObject([{ identifier: 'aurora' }])
    server.kill('SIGTERM')
    while (server.exitCode === null) await sleep(50)
    expect(server.exitCode).toBe(0)
    // The log continues, and reports the full disk once, not at each try.
    const failures = (await readFile(log, 'utf8')).split('PostgreSQL did not start').length - 1
    expect(failures).toBeLessThan(3)
  }, 120_000)
})

/** Writes to a file until the disk is full. */
async function fill(file: string): Promise<void> {
  for (let size = 1024 * 1024; size >= 1; size = Math.floor(size / 2)) {
    const block = randomBytes(size)
    while (
      await appendFile(file, block).then(
        () => true,
        () => false,
      )
    ) {}
  }
}
