import * as pg from 'pg'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { testMember } from '../testing/factories/member.ts'
import { type Shop, testShop } from '../testing/factories/shop.ts'
import { newId } from '../values/id.ts'
import { batchAudit, writeAudit } from './audit.ts'
import { type Database, statement } from './database.ts'

let company: Shop
const owner = new pg.Client({ connectionString: inject('ownerUrl') })
beforeAll(async () => {
  company = await testShop()
  await owner.connect()
})
afterAll(async () => {
  await owner.end()
  await company.close()
})

const Row = z.object({ action: z.string(), member_id: z.nullable(z.string()), placed: z.boolean() })
const readRows = statement(
  `select action, member_id, place = coalesce(member_id, audit_id) as placed from audit
   where company_id = $1 and request_id = $2 order by audit_id`,
  Row,
)
const rowsOf = (request: string) =>
  company.database.reading(company.id, async (tx) => tx.all(readRows, [company.id, request]))
/** An act on a member, and one on none. */
const acts = (memberId: string) => [
  { action: 'one', memberId, details: {} },
  { action: 'none', memberId: null, details: {} },
]
const placed = (member: string) => [
  { action: 'one', member_id: member, placed: true },
  { action: 'none', member_id: null, placed: true },
]

test('the place of an audit row is its member, or the row itself', async () => {
  const { id } = await testMember(company)
  const actor = { company, staff: null, store: null }
  await company.database.transaction(company.id, async (tx) => {
    for (const act of acts(id)) writeAudit(tx, actor, 'place-own', act)
  })
  expect(await rowsOf('place-own')).toEqual(placed(id))
})

const writeOne = statement(
  `select write_audit($1, $2, null, null, $3, 'place-function', '{}')`,
  z.unknown(),
)

test('a function and a batch write it', async () => {
  const { id } = await testMember(company)
  for (const { action, memberId } of acts(id))
    await owner.query(writeOne.text, [company.id, memberId, action])
  expect(await rowsOf('place-function')).toEqual(placed(id))

  const statements = vi.fn<(text: string) => void>()
  const batch = batchAudit(watched(company.database, statements), () => {})
  const caller = {
    company: { id: company.id, identifier: '', revision: 1, timeZone: 'UTC' },
    staff: { id: newId(), account: '', firstName: '', lastName: '' },
    isSystem: false,
    store: { code: 'S1', name: '' },
    group: { code: '', permissionVersion: 1, menus: [] },
    hasMemberModule: true,
    permissions: new Set<never>(),
    seenPermissionVersion: 1,
    now: new Date().toISOString(),
    today: '2026-11-25',
  }
  batch.add(caller, 'place-batch', acts(id))
  await batch.close()
  expect(await rowsOf('place-batch')).toEqual(placed(id))
  expect(statements.mock.calls.flat().join()).toMatch(/\bplace\b/)
})

/** Notes the statements of each transaction. */
function watched(real: Database, note: (text: string) => void): Database {
  return {
    ...real,
    transaction: (companyId, work) =>
      real.transaction(companyId, (tx) =>
        work({
          ...tx,
          all: (s, values) => {
            note(s.text)
            return tx.all(s, values)
          },
        }),
      ),
  }
}

test('doctor reports an audit row with another place or without its member', async () => {
  const [{ id }, lost] = [await testMember(company), newId()]
  const write = (sql: string, ...values: string[]) => owner.query(sql, [company.id, ...values])
  const insert = `insert into audit (company_id, action, member_id, place, request_id)
    values ($1, $2, $3, $4, 'doctor')`
  await write(insert, 'lost', lost, lost)
  await write(insert, 'moved', id, newId())
  const found = (await company.violations()).filter((one) => one.startsWith('auditMember'))
  expect(found.toSorted()).toEqual([
    `auditMember: audit refers to member ${lost}, which is missing`,
    expect.stringMatching(/^auditMember: audit row \S+ has another place$/),
  ])
})
