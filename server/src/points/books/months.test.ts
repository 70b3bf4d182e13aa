import { setTimeout as pause } from 'node:timers/promises'
import { readPointReport } from '@tillside/contract/integration/points'
import { postTransactions } from '@tillside/contract/integration/transactions'
import { pointHistory } from '@tillside/contract/points'
import * as pg from 'pg'
import { expect, inject, it, onTestFinished } from 'vitest'
import * as z from 'zod/mini'
import { findCompany } from '../../company/find.ts'
import { openDatabase, statement, type Transaction } from '../../database/database.ts'
import { tillside, tillsideApart as run } from '../../testing/command.ts'
import { logIn, ok } from '../../testing/factories/company.ts'
import { callWithKey, sendItems, testKey } from '../../testing/factories/key.ts'
import { testMember } from '../../testing/factories/member.ts'
import { nameOf, receipt } from '../../testing/factories/receipt.ts'
import { type Shop, testShop } from '../../testing/factories/shop.ts'
import { atLevel } from '../../testing/repetition.ts'
import { record } from '../../transaction/record.ts'
import { closeMonth } from './months.ts'

const lateReceipts = atLevel({ short: 60, full: 1000, long: 1000 })

/** A company with two sales in February 2026 and one in March. */
async function shopWithSales() {
  const s = await testShop()
  onTestFinished(() => s.close())
  const { key } = await testKey(s)
  const member = await testMember(s)
  const send = (...items: ReturnType<typeof receipt>[]) =>
    sendItems(s, postTransactions, items, key)
  const sale = (occurredAt: string, price = '100.00') =>
    receipt([['TEA', price, 1]], { memberCode: member.memberCode, occurredAt })
  const first = sale('2026-02-10T04:00:00Z')
  const sent = await send(first, sale('2026-02-28T15:59:59Z'), sale('2026-02-28T16:00:00Z'))
  expect(sent.created).toBe(3)
  const report = async (month: string) => {
    const [from, to] = [`${month}-01`, month === '2026-02' ? '2026-02-28' : `${month}-31`]
    const answer = await callWithKey(s, readPointReport, { from, to }, key)
    return readPointReport.data.parse(answer.data)
  }
  return { s, member, send, sale, first, report }
}

/**
 * A database for a transaction that a test holds open. PostgreSQL ends the transaction of a request
 * after ten idle seconds, and a busy machine may need longer.
 */
function patientDatabase() {
  const database = openDatabase(inject('databaseUrl'), 2, false)
  onTestFinished(() => database.close())
  return database
}

const close = (s: Shop, month: string) =>
  tillside('points', 'close', month, '--company', s.identifier)
const closed = async (s: Shop) =>
  (await tillside('points', 'closed', '--company', s.identifier, '--json')).stdout

it(`stays closed under ${lateReceipts} late receipts, which keep their own date`, async () => {
  const { s, member, send, sale, first, report } = await shopWithSales()
  const done = await close(s, '2026-02')
  expect(done).toMatchObject({ code: 0, stderr: '' })
  expect(done.stdout).toMatch(/^2026-02 +0 +200 +2 +[\da-f]{64}$/m)
  const [stored, february] = [await closed(s), await report('2026-02')]
  const back = receipt([['TEA', '100.00', -1]], {
    memberCode: member.memberCode,
    occurredAt: '2026-02-20T04:00:00Z',
    original: nameOf(first),
  })
  const late = Array.from({ length: lateReceipts - 1 }, (_, n) =>
    sale(`2026-02-${String((n % 27) + 1).padStart(2, '0')}T04:00:00Z`, '1.00'),
  )
  for (let from = 0; from < late.length; from += 100) await send(...late.slice(from, from + 100))
  await send(back)
  expect(await closed(s)).toBe(stored)
  expect(await report('2026-02')).toEqual(february)
  const march = await report('2026-03')
  expect(march.total.opening.points).toBe(200)
  expect(march.total.types[0]).toMatchObject({ type: 'earned', points: 100 + late.length })
  expect(march.total.closing.points).toBe(200 + late.length)
  expect(march.difference).toEqual({ accounts: 0, lots: 0 })
  const token = await logIn(s)
  const input = { memberCode: member.memberCode, pageSize: 1 }
  const { items } = await ok(s, pointHistory, input, { token })
  expect(items[0]).toMatchObject({ points: -100, createDate: '2026-02-20T04:00:00Z' })
  expect((await close(s, '2026-03')).code).toBe(0)
  expect(await s.violations()).toEqual([])
}, 120_000)

it('refuses a month that cannot be closed, by name', async () => {
  const { s } = await shopWithSales()
  const today = new Date().toISOString().slice(0, 7)
  const refused = async (month: string, expected: RegExp) => {
    const answer = await close(s, month)
    expect({ month, code: answer.code, stdout: answer.stdout }).toEqual({
      month,
      code: 1,
      stdout: '',
    })
    expect(answer.stderr).toMatch(expected)
  }
  await refused('2026-13', /^"2026-13" is not a month such as 2026-10\n$/)
  await refused('February', /is not a month such as 2026-10\n$/)
  await refused(today, /has not ended in/)
  await refused('9998-12', /^9998-12 has not ended in/)
  await refused('2026-01', /has no entries until the end of 2026-01\n$/)
  expect(await closed(s)).toBe('[]\n')
  expect((await close(s, '2026-02')).code).toBe(0)
  const stored = await closed(s)
  await refused('2026-02', /^2026-02 of .* is closed already\n$/)
  await refused('2026-01', /has no entries until/)
  await refused('2026-04', /^close 2026-03 first\n$/)
  expect(await closed(s)).toBe(stored)
})

it('asks for the expiry job before a month in which points have expired', async () => {
  const s = await testShop()
  onTestFinished(() => s.close())
  const { id } = await testMember(s)
  await s.send(id, receipt([['TEA', '5.00', 1]], { occurredAt: '2024-12-10T04:00:00Z' }))
  expect((await close(s, '2025-12')).stderr).toBe('')
  const refused = await close(s, '2026-01')
  expect(refused.stderr).toMatch(
    /^points that expired before 2026-02-01 are not written off yet; run tillside jobs run expiry/,
  )
  await tillside('jobs', 'run', 'expiry', '--now', '--company', s.identifier)
  expect(await close(s, '2026-01')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^2026-01 +5 +0 +1 /m),
  })
  expect(await s.violations()).toEqual([])
})

it('is closed once by two processes at once', async () => {
  const { s } = await shopWithSales()
  const words = ['points', 'close', '2026-02', '--company', s.identifier]
  const answers = await Promise.all([run(...words), run(...words), run(...words)])
  expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
  expect(answers.find(({ code }) => code === 1)?.stderr).toMatch(/is closed already\n$/)
  expect(JSON.parse(await closed(s))).toHaveLength(1)
})

it('waits for a sale that began before it, and counts it', async () => {
  const { s, member, sale } = await shopWithSales()
  const company = await findCompany(s.database, s.identifier)
  if (company === null) throw new Error('no company')
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const slow = patientDatabase().transaction(s.id, async (tx) => {
    await record(tx, company, member.id, sale('2026-02-11T04:00:00Z', '7.00'))
    begin()
    await gate
  })
  await begun
  let ended = false
  const closing = run('points', 'close', '2026-02', '--company', s.identifier)
  void closing.then(() => (ended = true))
  await expect.poll(() => closed(s), { timeout: 20_000 }).toContain('"month": "2026-02"')
  expect(JSON.parse(await closed(s))).toMatchObject([{ month: '2026-02', closing: null }])
  expect(ended).toBe(false)
  open()
  await slow
  expect((await closing).stdout).toMatch(/^2026-02 +0 +207 +3 /m)
  expect(await s.violations()).toEqual([])
})

it('waits for a sale that began while the month was being closed', async () => {
  const { s, member, sale } = await shopWithSales()
  const company = await findCompany(s.database, s.identifier)
  if (company === null) throw new Error('no company')
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  const slow: Promise<void>[] = []
  const beginSale = () => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const selling = patientDatabase().transaction(s.id, async (tx) => {
      await record(tx, company, member.id, sale('2026-02-11T04:00:00Z', '7.00'))
      begin()
      await gate
    })
    slow.push(selling)
    return begun
  }
  // The month's row is added, then the sale adds its entry, then the month is committed.
  const database: typeof s.database = {
    ...s.database,
    transaction: (id, work) =>
      s.database.transaction(id, async (tx) => {
        const result = await work(tx)
        if (slow.length === 0) await beginSale()
        return result
      }),
  }
  const closing = closeMonth(database, { id: s.id, identifier: s.identifier }, '2026-02')
  await expect.poll(() => closed(s), { timeout: 20_000 }).toContain('"month": "2026-02"')
  await Promise.race([closing, pause(500)])
  open()
  await Promise.all(slow)
  expect(await closing).toMatchObject({ closing: 207, entries: 3 })
  expect(await s.violations()).toEqual([])
})

const readLimits = statement(
  `select current_setting('statement_timeout') as timeout,
     current_setting('enable_seqscan') as scan`,
  z.object({ timeout: z.string(), scan: z.string() }),
)

it('may read a large company: each statement over all entries has time for it', async () => {
  const { s } = await shopWithSales()
  const limits: Record<string, string> = {}
  const names = {
    began: / as began/,
    report: /'outstanding', to_char/,
    figures: /month_figures \(/,
  }
  // Asks in the burst of each statement.
  const asking = (tx: Transaction): Transaction => {
    const ask = async ({ text }: { text: string }) => {
      const [limit] = await tx.all(readLimits, [])
      for (const [name, pattern] of Object.entries(names)) {
        if (pattern.test(text)) limits[name] = `${limit?.timeout} ${limit?.scan}`
      }
    }
    return {
      ...tx,
      one: async (of, values) => (await Promise.all([tx.one(of, values), ask(of)]))[0],
      all: async (of, values) => (await Promise.all([tx.all(of, values), ask(of)]))[0],
      run: async (of, values) => (await Promise.all([tx.run(of, values), ask(of)]))[0],
    }
  }
  const database: typeof s.database = {
    ...s.database,
    transaction: (id, work) => s.database.transaction(id, (tx) => work(asking(tx))),
    reading: (id, work) => s.database.reading(id, (tx) => work(asking(tx))),
  }
  await closeMonth(database, { id: s.id, identifier: s.identifier }, '2026-02')
  expect(limits).toEqual({ began: '15min on', report: '5min on', figures: '15min on' })
})

it('stays closed while sales of that month arrive at the same time', async () => {
  const { s, send, sale } = await shopWithSales()
  // Few at once: a member's sales wait for each other, and a wait of two seconds ends with 503.
  const till = async () => {
    for (let n = 0; n < 5; n++) await send(sale('2026-02-12T04:00:00Z', '1.00'))
  }
  const sending = Promise.all(Array.from({ length: 8 }, till))
  const done = await run('points', 'close', '2026-02', '--company', s.identifier)
  await sending
  expect(done.code).toBe(0)
  expect(await s.violations()).toEqual([])
})

const Found = z.object({
  companies: z.array(
    z.object({ findings: z.array(z.object({ rule: z.string(), found: z.string() })) }),
  ),
})

async function doctorOf(s: Shop) {
  const { stdout } = await tillside('doctor', '--company', s.identifier, '--json')
  return Found.parse(JSON.parse(stdout)).companies.flatMap(({ findings }) => findings)
}

async function ownerOf(s: Shop): Promise<pg.Client> {
  const owner = new pg.Client({ connectionString: inject('ownerUrl') })
  await owner.connect()
  onTestFinished(() => owner.end())
  await owner.query(`select set_config('app.company_id', $1, false)`, [s.id])
  return owner
}

it('keeps entries of an older program on their days when the time zone changes', async () => {
  const { s, report } = await shopWithSales()
  const owner = await ownerOf(s)
  const change = (what: string) => owner.query(`update ${what} where company_id = $1`, [s.id])
  await change('point_entry set booked_on = null')
  await change('company set unbooked_time_zone = time_zone')
  expect((await close(s, '2026-02')).stdout).toMatch(/^2026-02 +0 +200 +2 /m)
  await change(`company set time_zone = 'America/New_York', revision = revision + 1`)
  expect(await doctorOf(s)).toEqual([])
  expect((await report('2026-02')).total.closing.points).toBe(200)
})

it('doctor finds an entry that was changed, although its sums are the same', async () => {
  const { s } = await shopWithSales()
  expect((await close(s, '2026-02')).code).toBe(0)
  const owner = await ownerOf(s)
  expect(await doctorOf(s)).toEqual([])
  const change = (what: string) =>
    owner.query(`update point_entry set ${what} where company_id = $1 and seq = 1`, [s.id])
  await change(`description = 'erased words do not count'`)
  expect(await doctorOf(s)).toEqual([])
  await change(`store_code = 'S2'`)
  expect(await doctorOf(s)).toMatchObject([
    { rule: 'I11', found: expect.stringMatching(/the entries are others$/) },
  ])
  await change(`store_code = 'S1', booked_on = '2026-03-01'`)
  expect(await doctorOf(s)).toMatchObject([
    { rule: 'I11', found: expect.stringContaining('closing 100 and 1 entries, stored are 0, 200') },
  ])
})
