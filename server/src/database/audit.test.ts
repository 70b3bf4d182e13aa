import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { testCompany, type TestCompany } from '../testing/factories/company.ts'
import { newId } from '../values/id.ts'
import { batchAudit } from './audit.ts'
import type { Caller } from './context.ts'
import { CommitUnknown, type Database, statement } from './database.ts'

let company: TestCompany
beforeAll(async () => {
  company = await testCompany()
})
afterAll(() => company.close())

const readRows = statement(
  `select staff_id, store_code, action, member_id, request_id, details,
     to_char(at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
   from audit where company_id = $1 and request_id like 'batch-%' order by audit_id`,
  z.record(z.string(), z.unknown()),
)

/** A caller of the company. */
function callerOf(staffId: string, storeCode: string, now: string): Caller {
  return {
    company: { id: company.id, identifier: '', revision: 1, timeZone: 'UTC' },
    staff: { id: staffId, account: '', firstName: '', lastName: '' },
    isSystem: false,
    store: { code: storeCode, name: '' },
    group: { code: '', permissionVersion: 1, menus: [] },
    hasMemberModule: true,
    permissions: new Set(),
    seenPermissionVersion: 1,
    now,
    today: now.slice(0, 10),
  }
}

test('a batch is written once, also when its first commit is lost', async () => {
  const real = company.database
  const failed = vi.fn<(error: unknown) => void>()
  let commits = 0
  const database: Database = {
    ...real,
    async transaction(companyId, work) {
      const result = await real.transaction(companyId, work)
      commits += 1
      if (commits === 1) throw new CommitUnknown('lost')
      return result
    },
  }
  const batch = batchAudit(database, failed)
  const clerks = [newId(), newId()]
  const members = [newId(), null]
  const expected: Record<string, unknown>[] = []
  for (let n = 0; n < 8; n++) {
    const [staffId = '', memberId = null] = [clerks[n % 2], members[(n >> 1) % 2]]
    const [store, at] = [`S${1 + (n >> 2)}`, `2026-11-22T10:00:00.00${n}Z`]
    const details = { by: 'mobile', found: memberId !== null, text: `"a", \\{${n}}` }
    const change = { action: 'member.lookUp', memberId, details }
    batch.add(callerOf(staffId, store, at), `batch-${n}`, [change])
    expected.push({
      staff_id: staffId,
      store_code: store,
      action: 'member.lookUp',
      member_id: memberId,
      request_id: `batch-${n}`,
      details,
      at,
    })
  }
  const rows = () => real.reading(company.id, (tx) => tx.all(readRows, [company.id]))
  await vi.waitFor(() => expect(commits).toBe(2), 5_000)
  await batch.close()
  expect(await rows()).toEqual(expected)
  expect(failed).toHaveBeenCalledTimes(1)
})
