import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import * as z from 'zod/mini'
import { countBursts } from '../testing/bursts.ts'
import { testCompany, type TestCompany } from '../testing/factories/company.ts'
import { type Database, openDatabase, sqlState, statement } from './database.ts'

// Statements of one turn of the event loop are sent as one burst. A pool of one connection shows
// the state that each burst leaves behind.
let database: Database
let company: TestCompany

beforeAll(async () => {
  company = await testCompany()
  database = openDatabase(inject('databaseUrl'), 1)
})
afterAll(async () => {
  await database.close()
  await company.close()
})

const number = statement('select $1::int as n', z.object({ n: z.int() }))
const divide = statement('select 1 / $1::int as n', z.object({ n: z.int() }))
const who = statement('select current_company()::text as id', z.object({ id: z.string() }))
const halves = statement(`select name from store where name = 'Half'`, z.unknown())
const rename = statement('update store set name = $2 where store_code = $1', z.unknown())

test.each(['reading', 'transaction'] as const)(
  'a statement that is sent after its %s has ended is not sent',
  async (kind) => {
    const late = Promise.withResolvers<void>()
    let sentLate: Promise<unknown> | undefined
    let sentAtTheEnd: Promise<unknown> | undefined
    await database[kind](company.id, async (tx) => {
      await tx.one(number, [1])
      sentLate = late.promise.then(() => tx.one(number, [2]))
    })
    // On the same connection: the late statement would be within this transaction, and commit it.
    const changed = database.transaction(company.id, async (tx) => {
      await tx.run(rename, ['S1', 'Half'])
      late.resolve()
      await expect(sentLate).rejects.toThrow('the transaction has ended')
      throw new Error('given up')
    })
    await expect(changed).rejects.toThrow('given up')
    const failing = database.reading(company.id, async (tx) => {
      sentAtTheEnd = tx.one(number, [3])
      sentAtTheEnd.catch(() => {})
      throw new Error('given up')
    })
    await expect(failing).rejects.toThrow('given up')
    await expect(sentAtTheEnd).rejects.toThrow('the transaction has ended')
    const names = await database.reading(company.id, (tx) => tx.all(halves, []))
    expect(names).toEqual([])
  },
)

const prepared = statement(
  'select statement as text from pg_prepared_statements',
  z.object({ text: z.string() }),
)

test('a change on one PostgreSQL sends nothing for a cluster', async () => {
  const { counted, restore } = countBursts()
  const fresh = openDatabase(inject('databaseUrl'), 1)
  const change = () => fresh.transaction(company.id, (tx) => tx.all(prepared, []))
  // Only the first change of a connection asks whether there is a cluster.
  const first = await counted(change)
  const second = await counted(change)
  expect([first.bursts, second.bursts]).toEqual([3, 2])
  const texts = second.answer.map(({ text }) => text)
  expect(texts).toEqual(expect.arrayContaining(['begin', 'commit', prepared.text]))
  expect(texts).not.toContain('delete from two_phases')
  await fresh.close()
  restore()
})

describe('a burst', () => {
  test('answers statements before a failure, and fails the rest with the same error', async () => {
    const outcome = await database
      .transaction(company.id, async (tx) =>
        Promise.allSettled([tx.one(number, [1]), tx.one(divide, [0]), tx.one(number, [2])]),
      )
      .catch((error: unknown) => error)
    // The commit of a failed transaction does not commit.
    expect(outcome).toBeInstanceOf(Error)
    const [first, second, third] = await database.reading(company.id, async (tx) =>
      Promise.allSettled([tx.one(number, [1]), tx.one(divide, [0]), tx.one(number, [2])]),
    )
    expect(first).toEqual({ status: 'fulfilled', value: { n: 1 } })
    for (const failed of [second, third]) {
      expect(failed.status === 'rejected' && sqlState(failed.reason)).toBe('22012')
    }
  })

  test('leaves the connection usable: it prepares and answers again', async () => {
    for (let n = 0; n < 3; n++) {
      const failing = database.reading(company.id, (tx) => tx.one(divide, [0]))
      await expect(failing).rejects.toThrow(/division by zero/)
      const unknown = statement('select nothing from nowhere', z.unknown())
      const wrong = database.reading(company.id, (tx) => tx.all(unknown, []))
      await expect(wrong).rejects.toThrow(/nowhere/)
      expect(await database.reading(company.id, (tx) => tx.one(divide, [1]))).toEqual({ n: 1 })
    }
  })

  test('may contain the same statement twice before it is prepared', async () => {
    const twice = statement('select $1::int + 0 as n', z.object({ n: z.int() }))
    const rows = await database.reading(company.id, (tx) =>
      Promise.all([tx.one(twice, [1]), tx.one(twice, [2])]),
    )
    expect(rows).toEqual([{ n: 1 }, { n: 2 }])
  })

  test('shows the caller in the stack when it fails', async () => {
    const error = await database
      .reading(company.id, async function asker(tx) {
        return await tx.one(divide, [0])
      })
      .catch((failure: unknown) => failure)
    expect(error instanceof Error && error.stack).toContain('asker')
  })
})

describe('read-only work', () => {
  test('stays in its company and writes nothing, also over several round trips', async () => {
    await database.reading(company.id, async (tx) => {
      for (let n = 0; n < 3; n++) expect(await tx.one(who, [])).toEqual({ id: company.id })
    })
    for (const before of [0, 1, 2]) {
      const attempt = database.reading(company.id, async (tx) => {
        for (let n = 0; n < before; n++) await tx.one(who, [])
        await tx.run(rename, ['S1', 'Mine'])
      })
      await expect(attempt).rejects.toThrow(/read-only transaction/)
    }
    const outside = database.withoutCompany((tx) => tx.run(rename, ['S1', 'Mine']))
    await expect(outside).rejects.toThrow(/read-only transaction/)
  })
})

test.each([
  ['text', 'a "quoted" \\ and \n 中文 {},NULL', 'text'],
  ['texts', ['', 'a,b', '"', '\\', '{}', 'NULL', 'null', '中'], 'text[]'],
  ['texts with none', ['a', null], 'text[]'],
  ['no texts', [], 'text[]'],
  ['numbers', [1, -2, 2 ** 31 - 1], 'int[]'],
  [
    'rows of numbers',
    [
      [1, 2],
      [3, 4],
    ],
    'int[]',
  ],
  ['bytes', Buffer.from([0, 255, 92, 34]), 'bytea'],
  ['several bytes', [Buffer.from([0, 255]), Buffer.from([92, 34])], 'bytea[]'],
  ['truth', true, 'boolean'],
  ['nothing', null, 'text'],
  ['an object', { a: ['"', '\\'], b: null }, 'jsonb'],
])('%s is read as it was written', async (_name, value, type) => {
  const echo = statement(`select $1::${type} as value`, z.object({ value: z.unknown() }))
  expect(await database.reading(company.id, (tx) => tx.one(echo, [value]))).toEqual({ value })
})
