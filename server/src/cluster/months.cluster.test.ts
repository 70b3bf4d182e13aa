import { setTimeout as pause } from 'node:timers/promises'
import { expect, inject, onTestFinished, test } from 'vitest'
import * as z from 'zod/mini'
import { type Database, openDatabase, statement } from '../database/database.ts'
import { closedMonths } from '../points/books/months.ts'
import { reportPoints } from '../points/books/report.ts'
import { findCompany } from '../company/find.ts'
import { tillsideApart } from '../testing/command.ts'
import { testMember } from '../testing/factories/member.ts'
import { receipt } from '../testing/factories/receipt.ts'
import { testShop } from '../testing/factories/shop.ts'
import { record } from '../transaction/record.ts'

const readWorker = statement(
  `select nodename as name, nodeport::text as port from pg_dist_node
   where noderole = 'primary' and shouldhaveshards and groupid <> 0 order by nodeid limit 1`,
  z.object({ name: z.string(), port: z.string() }),
)

/** The program's database by the address of a worker: every node answers. */
async function onWorker(database: Database): Promise<Database> {
  const { name, port } = await database.withoutCompany((tx) => tx.one(readWorker, []))
  const url = new URL(inject('databaseUrl'))
  url.hostname = name
  url.port = port
  const opened = openDatabase(url.href)
  onTestFinished(() => opened.close())
  return opened
}

/** A company with six members, whose rows are on several nodes, and sales in February 2026. */
async function shopOnNodes() {
  const s = await testShop()
  onTestFinished(() => s.close())
  const company = await findCompany(s.database, s.identifier)
  if (company === null) throw new Error('no company')
  const ids: string[] = []
  for (let n = 0; n < 6; n++) ids.push((await testMember(s)).id)
  const databases = [s.database, await onWorker(s.database)]
  const sale = receipt([['TEA', '7.00', 1]], { occurredAt: '2026-02-11T04:00:00Z' })
  /** Members and nodes in turns. */
  const sell = (n: number, hold: () => Promise<void> = () => Promise.resolve()) => {
    const [id, database] = [ids[n % ids.length] ?? null, databases[n % databases.length]]
    return database?.transaction(s.id, async (tx) => {
      await record(tx, company, id, { ...sale, invoiceNumber: `R-${n}` })
      await hold()
    })
  }
  const february = () => s.database.transaction(s.id, (tx) => closedMonths(tx, s.id))
  const close = () => tillsideApart('points', 'close', '2026-02', '--company', s.identifier)
  return { s, company, sell, february, close }
}

test('a month waits for the transactions of every node', async () => {
  const { s, sell, february, close } = await shopOnNodes()
  await sell(0)
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  const selling: unknown[] = []
  const begun = [1, 2, 3, 4, 5, 6].map((n) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    selling.push(sell(n, () => (resolve(), gate)))
    return promise
  })
  await Promise.all(begun)
  const closing = close()
  await expect.poll(february, { timeout: 20_000 }).toMatchObject([{ month: '2026-02' }])
  expect(await Promise.race([closing, pause(1_000, 'waits')])).toBe('waits')
  expect(await february()).toMatchObject([{ month: '2026-02', closing: null }])
  open()
  await Promise.all(selling)
  expect((await closing).stdout).toMatch(/^2026-02 +0 +49 +7 /m)
  expect(await s.violations()).toEqual([])
}, 120_000)

test('the books of each moment tie while sales arrive at several nodes', async () => {
  const { s, company, sell, february, close } = await shopOnNodes()
  await sell(0)
  let sold = 1
  const ending = new AbortController()
  const selling = Array.from({ length: 4 }, async () => {
    while (!ending.signal.aborted) await sell(sold++)
  })
  const input = { from: '2026-01-01', to: '2026-12-31', by: 'store' } as const
  for (let n = 0; n < 30; n++) {
    const report = await s.database.reading(s.id, (tx) =>
      reportPoints(tx, s.id, input, company.settings),
    )
    expect(report.difference).toEqual({ accounts: 0, lots: 0 })
  }
  const { code, stderr } = await close()
  expect({ code, stderr }).toMatchObject({ code: 0 })
  const counted = sold
  await expect.poll(() => sold).toBeGreaterThan(counted + 20)
  ending.abort()
  await Promise.all(selling)
  expect(await february()).toMatchObject([{ month: '2026-02', opening: 0 }])
  expect(await s.violations()).toEqual([])
}, 120_000)
