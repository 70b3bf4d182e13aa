import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { statement } from '../database/database.ts'
import { testCompany, type TestCompany } from '../testing/factories/company.ts'
import { consumeProof, type Contact, createProof } from './proof.ts'

let company: TestCompany
let other: TestCompany
beforeAll(async () => {
  company = await testCompany()
  other = await testCompany()
})
afterAll(async () => {
  await company.close()
  await other.close()
})

const contact: Contact = { purpose: 'register', contact: 'mobile', value: '+85251234567' }
const give = () =>
  company.database.transaction(company.id, async (tx) => createProof(tx, company, contact))
const use = (reference: string, of: Contact = contact, at: TestCompany = company) =>
  at.database.transaction(at.id, (tx) => consumeProof(tx, at, of, reference))

test('a proof is valid once, for its contact, in its company', async () => {
  const reference = await give()
  expect(await use(`${reference}x`)).toBe(false)
  expect(await use(reference, { ...contact, value: '+85251234568' })).toBe(false)
  expect(await use(reference, { ...contact, contact: 'email' })).toBe(false)
  expect(await use(reference, contact, other)).toBe(false)
  expect(await use(reference)).toBe(true)
  expect(await use(reference)).toBe(false)
})

test('one of twenty concurrent uses succeeds', async () => {
  const reference = await give()
  const uses = await Promise.all(Array.from({ length: 20 }, () => use(reference)))
  expect(uses.filter((good) => good)).toHaveLength(1)
})

test('a rollback restores a consumed proof', async () => {
  const reference = await give()
  const { database, id } = company
  const rolledBack = database.transaction(id, async (tx) => {
    expect(await consumeProof(tx, company, contact, reference)).toBe(true)
    throw new Error('some other error')
  })
  await expect(rolledBack).rejects.toThrow('some other error')
  expect(await use(reference)).toBe(true)
})

test('a proof expires, and its reference is not stored', async () => {
  const reference = await give()
  const { database, id } = company
  const age = statement(
    `update contact_proof set expires_at = expires_at - interval '15 minutes'
     where company_id = $1 returning contact_proof::text as row`,
    z.object({ row: z.string() }),
  )
  const rows = await database.transaction(id, (tx) => tx.all(age, [id]))
  expect(rows).toHaveLength(1)
  expect(JSON.stringify(rows)).not.toContain(reference)
  expect(await use(reference)).toBe(false)
})
