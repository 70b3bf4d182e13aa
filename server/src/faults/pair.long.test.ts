import { mkdtemp, rm, chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { startEmbedded } from '../embedded/embedded.ts'
import { atLevel } from '../testing/repetition.ts'
import { startServer } from '../testing/servers/process.ts'
import { killPostgres } from './postgres.ts'

// The program and its PostgreSQL are killed at the same time, as when the machine runs out of
// memory, while a query is running. PostgreSQL's other processes continue for a while.
const kills = atLevel({ short: 3, full: 6, long: 20 })

const folder = await mkdtemp(join(tmpdir(), 'tillside-pair-'))
await chmod(folder, 0o711)
const environment = { DATA_DIR: folder }

afterAll(async () => {
  await (await startEmbedded(folder)).destroy()
  await rm(folder, { recursive: true, force: true })
})

async function connect(): Promise<pg.Client> {
  const embedded = await startEmbedded(folder)
  const client = new pg.Client({ connectionString: embedded.url })
  client.on('error', () => {})
  await client.connect()
  // This process must not keep the server running.
  await embedded.release()
  return client
}

test(
  `a server and its database killed together ${kills} times start again and lose nothing`,
  async () => {
    for (let n = 0; n < kills; n++) {
      const server = startServer(environment)
      await server.ready
      const [client, busy] = await Promise.all([connect(), connect()])
      await client.query('create table if not exists sale (n int)')
      const { rows } = await client.query<{ n: number }>('select n from sale order by n')
      expect(rows.map((row) => row.n)).toEqual(Array.from({ length: n }, (_, sold) => sold))
      // It does not notice that its server is gone.
      busy.query('select count(*) from generate_series(1, 100000000000)').catch(() => {})
      await client.query('insert into sale values ($1)', [n])
      killPostgres(folder, n % 2 === 0)
      server.process.kill('SIGKILL')
      await server.ended
      await Promise.all([client.end().catch(() => {}), busy.end().catch(() => {})])
    }
    const server = startServer(environment)
    const answer = await fetch(`${await server.ready}/readyz`)
    expect(answer.status).toBe(200)
    server.process.kill('SIGTERM')
    const { code, stderr } = await server.ended
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  },
  kills * 30_000 + 60_000,
)
