import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import * as z from 'zod/mini'
import { testCompany, type TestCompany } from '../testing/factories/company.ts'
import { isCluster } from './check.ts'
import { checkCluster, distribute } from './distribute.ts'

// On a real cluster, in `npm run test:cluster`.

let company: TestCompany
beforeAll(async () => {
  company = await testCompany()
})
afterAll(async () => {
  await company.close()
})

test('a second run finds nothing to place', async () => {
  const { moves, placed, nodes } = await distribute(inject('ownerUrl'))
  expect(moves).toEqual([])
  expect(placed.length).toBeGreaterThan(60)
  expect(nodes.length).toBeGreaterThan(1)
})

test('doctor finds every table in its place', async () => {
  expect(await isCluster(company.database)).toBe(true)
  await checkCluster(inject('ownerUrl'))
})

test('the wall holds on the nodes: no rows without a company', async () => {
  const rows = await company.database.withoutCompany((tx) =>
    tx.all({ name: '', text: 'select member_id from member limit 1', row: z.unknown() }, []),
  )
  expect(rows).toEqual([])
})
