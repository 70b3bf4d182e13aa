import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getuid } from 'node:process'
import * as pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { projectRoot } from '../process/config.ts'
import { withoutWaits } from '../process/wait.ts'
import { startEmbedded } from './embedded.ts'
import { lock } from './lock.ts'

// Files that a killed program, a power cut or a full disk leaves in the folder of the packaged
// PostgreSQL. No command may wait for them or refuse because of them.
let folder: string
let foreign: ChildProcess
const nobody = 65534
/** Longer than a command takes on a busy machine. One that waits for an obstacle never ends. */
const commandMs = 100_000
const timeout = 2 * commandMs
const owner = getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tillside-obstacles-'))
  // PostgreSQL's user must be able to enter it.
  await chmod(folder, 0o711)
  // PostgreSQL's own check ignores processes of other users.
  foreign = spawn('sleep', ['1000'], { stdio: 'ignore', ...owner })
  const apply = join(projectRoot, 'companies/aurora')
  expect(await tillside(['company', 'apply', apply])).toMatchObject({ code: 0 })
}, timeout)
afterAll(async () => {
  foreign.kill('SIGKILL')
  await (await startEmbedded(folder)).destroy()
  await rm(folder, { recursive: true, force: true })
})

/** @param onStderr receives all of its error output so far, at each new part */
function tillside(
  words: string[],
  onStderr: (text: string) => void = () => {},
  dataDir = folder,
): Promise<{ code: number | null; stderr: string }> {
  const { PATH = '', HOME = '' } = process.env
  const program = join(projectRoot, 'tools/tillside.mjs')
  const child = spawn(process.execPath, [program, ...words], {
    env: { PATH, HOME, DATA_DIR: dataDir },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: commandMs,
    killSignal: 'SIGKILL',
  })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
    onStderr(stderr)
  })
  return new Promise((done) => child.once('close', (code) => done({ code, stderr })))
}

/** Waits until the guard has stopped the server of the last command. */
async function stopped(): Promise<void> {
  while (existsSync(join(folder, 'postgres/cluster/postmaster.pid'))) {
    await new Promise((wake) => setTimeout(wake, 50))
  }
}

const dead = '4194000'
const others = '/nowhere\n1790000000\n5432\n\n127.0.0.1\n  5432001    999999\nready'

describe.each([
  ['start.lock', ''],
  ['start.lock', dead],
  ['start', 'a text that is no lock'],
  ['cluster/postmaster.pid', ''],
  ['cluster/postmaster.pid', `${dead}\n${others}`],
])('%s with %j', (name, content) => {
  test('stops no command', { timeout }, async () => {
    await stopped()
    const file = join(folder, 'postgres', name)
    await writeFile(file, content, { mode: 0o600 })
    if (owner.uid !== undefined) await chown(file, owner.uid, owner.uid)
    const { code, stderr } = await tillside(['company', 'list'])
    const home = join(folder, 'postgres')
    const database = `Database: the packaged PostgreSQL in ${home}\n`
    expect({ code, stderr: withoutWaits(stderr) }).toEqual({ code: 0, stderr: database })
  })
})

describe.each(['start.lock', 'cluster/postmaster.pid'])('%s of a foreign process', (name) => {
  test('stops no command', { timeout }, async () => {
    await stopped()
    const file = join(folder, 'postgres', name)
    await writeFile(file, `${foreign.pid}\n${others}`, { mode: 0o600 })
    if (owner.uid !== undefined) await chown(file, owner.uid, owner.uid)
    expect(await tillside(['company', 'list'])).toMatchObject({ code: 0 })
    expect([foreign.exitCode, foreign.signalCode]).toEqual([null, null])
  })
})

test('a lease of a foreign process does not keep the server running', { timeout }, async () => {
  await stopped()
  for (const name of [`${foreign.pid}`, `${foreign.pid}-1`]) {
    await writeFile(join(folder, 'postgres/leases', name), '')
  }
  expect(await tillside(['company', 'list'])).toMatchObject({ code: 0 })
  await stopped()
})

test('a command shares the server of the same folder by another path', { timeout }, async () => {
  const link = `${folder}-link`
  await symlink(folder, link)
  const embedded = await startEmbedded(folder)
  const client = new pg.Client({ connectionString: embedded.url })
  await client.connect()
  try {
    expect(await tillside(['company', 'list'], undefined, link)).toMatchObject({ code: 0 })
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  } finally {
    await client.end()
    await embedded.release()
    await rm(link)
  }
})

test('a command that waits for another start says so after two seconds', { timeout }, async () => {
  const unlock = await lock(join(folder, 'postgres/start'))
  const place = join(folder, 'postgres')
  const began = performance.now()
  const waits = await tillside(['company', 'list'], (text) => {
    if (text.includes('Waiting')) unlock()
  })
  expect(performance.now() - began).toBeGreaterThan(2_000)
  expect(waits.code).toBe(0)
  expect(waits.stderr).toContain(
    `Waiting for another process, which is starting PostgreSQL in ${place} …\n`,
  )
})
