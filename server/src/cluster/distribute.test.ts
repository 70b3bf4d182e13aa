import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { testCompany, type TestCompany } from '../testing/factories/company.ts'
import { findMisplaced, isCluster } from './check.ts'
import { distribute } from './distribute.ts'

// On one PostgreSQL. `distribute.cluster.test.ts` has the tests on a cluster.

let company: TestCompany
beforeAll(async () => {
  company = await testCompany()
})
afterAll(() => company.close())

test('one PostgreSQL is no cluster, and nothing in it is misplaced', async () => {
  expect(await isCluster(company.database)).toBe(false)
  expect(await findMisplaced(company.database)).toEqual([])
})

test('a database without the extension is refused', async () => {
  await expect(distribute(inject('ownerUrl'))).rejects.toThrow(
    'this database has no extension citus; docs/growing.md describes how to make a cluster',
  )
})
