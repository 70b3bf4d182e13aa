import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import * as z from 'zod/mini'
import { testCompany, type TestCompany } from '../testing/factories/company.ts'
import { type Database, openDatabase, statement, type Transaction } from './database.ts'
import { claimAtOnce, claimWithoutWait } from './operation.ts'

// A pooler in transaction mode gives its connections no settings of ours, so each transaction has
// its own (`?pooler=transaction` leads past a pooler too).
let company: TestCompany
let database: Database
beforeAll(async () => {
  company = await testCompany()
  database = openDatabase(`${inject('databaseUrl')}?pooler=transaction`, 1)
})
afterAll(async () => {
  await database.close()
  await company.close()
})

const readTimeout = statement(
  `select current_setting('lock_timeout') as timeout`,
  z.object({ timeout: z.string() }),
)
const claimKey = statement(`select claim_key($1, $2, $3, 'test', '')`, z.unknown())

const operation = () => ({
  companyId: company.id,
  staffId: randomUUID(),
  key: randomUUID(),
  endpoint: 'test',
  bodyHash: Buffer.alloc(32),
})

test.each([
  ['in the program', (tx: Transaction) => claimAtOnce(tx, operation())],
  [
    'in a function',
    async (tx: Transaction) => {
      const { companyId, staffId, key } = operation()
      await claimWithoutWait(tx)
      return tx.one(claimKey, [companyId, staffId, key])
    },
  ],
])('after a claim without a wait %s, a lock is waited for as before', async (_, claim) => {
  const read = database.transaction(company.id, async (tx) => {
    const { timeout: before } = await tx.one(readTimeout, [])
    await claim(tx)
    return [before, (await tx.one(readTimeout, [])).timeout]
  })
  expect(await read).toEqual(['2s', '2s'])
})
