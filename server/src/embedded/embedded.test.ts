import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getuid } from 'node:process'
import * as pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Embedded, startEmbedded } from './embedded.ts'
import { makeHome } from './embedded-home.ts'

// The server of a shop's own machine: the program is killed, and no committed sale may be lost.
let folder: string
let again: Embedded | undefined
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tillside-embedded-'))
})
afterAll(async () => {
  await again?.destroy()
  await rm(folder, { recursive: true, force: true })
})

/** Starts another process that uses the folder's server until it is killed. */
async function user(): Promise<{ child: ChildProcess; url: string }> {
  const program = JSON.stringify(join(import.meta.dirname, 'embedded.ts'))
  const code = `
    const { startEmbedded } = await import(${program})
    const { url } = await startEmbedded(${JSON.stringify(folder)})
    console.log(url)
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await new Promise<string>((done, failed) => {
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (more: string) => {
      text += more
      if (text.includes('\n')) done(text.trim())
    })
    child.once('exit', () => failed(new Error('the other process ended early')))
  })
  return { child, url }
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end().catch(() => {})
  }
}
const up = (url: string) =>
  query(url, 'select 1').then(
    () => true,
    () => false,
  )

test('starts once, is shared, stops when its last user is killed, and loses nothing', async () => {
  const first = await user()
  await query(first.url, 'create table takings (amount int)')

  // A command line shares the running server.
  const shared = await startEmbedded(folder)
  expect(shared.url).toBe(first.url)
  await query(shared.url, 'insert into takings values (7)')
  await shared.release()
  // Releasing it leaves it to the other process.
  await new Promise((wake) => setTimeout(wake, 1_500))
  expect(await query(first.url, 'select amount from takings')).toEqual([{ amount: 7 }])

  // A write acknowledged a moment before the kill must survive.
  await query(first.url, 'insert into takings values (35)')
  first.child.kill('SIGKILL')
  while (await up(first.url)) await new Promise((wake) => setTimeout(wake, 100))

  again = await startEmbedded(folder)
  expect(await query(again.url, 'select amount from takings order by amount')).toEqual([
    { amount: 7 },
    { amount: 35 },
  ])
})

test('two processes that start at once share one server', async () => {
  const both = await Promise.all([startEmbedded(folder), startEmbedded(folder)])
  expect(both[0].url).toBe(both[1].url)
  for (const one of both) await one.release()
})

// obstacles.long.test.ts has every such file, for the command line.
test('files that an ended process left do not stop a start', async () => {
  const home = await makeHome(folder)
  const pidFile = join(home.cluster, 'postmaster.pid')
  await again?.release()
  await expect.poll(() => existsSync(pidFile), { timeout: 10_000 }).toBe(false)
  const { uid, gid } = await stat(home.cluster)
  for (const [file, content] of [
    [join(home.folder, 'start.lock'), '4194000'],
    // PostgreSQL itself refuses to start beside an empty one.
    [pidFile, ''],
  ] as const) {
    await writeFile(file, content, { mode: 0o600 })
    await chown(file, uid, gid)
  }
  again = await startEmbedded(folder)
  expect(await query(again.url, 'select count(*)::int as n from takings')).toEqual([{ n: 2 }])
})

test('destroy leaves nothing behind', async () => {
  const { url } = await startEmbedded(folder)
  await again?.destroy()
  expect(await up(url)).toBe(false)
  again = await startEmbedded(folder, true)
  await expect(query(again.url, 'select from takings')).rejects.toThrow('does not exist')
})

test.skipIf(getuid?.() !== 0)('a command of root leaves the database to its owner', async () => {
  const dataDir = join(folder, 'of-a-service')
  const cluster = join(dataDir, 'postgres/cluster')
  await mkdir(cluster, { recursive: true })
  for (const path of [folder, dataDir, join(dataDir, 'postgres'), cluster]) await chmod(path, 0o755)
  for (const path of [join(dataDir, 'postgres'), cluster]) await chown(path, 12_345, 12_345)
  expect(await makeHome(dataDir)).toMatchObject({ owner: 12_345, identity: { uid: 12_345 } })
  expect((await stat(join(dataDir, 'postgres'))).uid).toBe(12_345)
})
