import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { testCompany, type TestCompany } from '../testing/factories/company.ts'
import { isCluster } from './check.ts'
import { checkCluster, distribute } from './distribute.ts'

// On one PostgreSQL. `distribute.cluster.test.ts` has the tests on a cluster.

let company: TestCompany
beforeAll(async () => {
  company = await testCompany()
})
afterAll(() => company.close())

test('one PostgreSQL is no cluster, and doctor finds nothing to place in it', async () => {
  expect(await isCluster(company.database)).toBe(false)
  await checkCluster(inject('ownerUrl'))
})

test('a database without the extension is refused', async () => {
  await expect(distribute(inject('ownerUrl'))).rejects.toThrow(
    'this database has no extension citus; docs/growing.md describes how to make a cluster',
  )
})
