import { randomUUID } from 'node:crypto'
import { getOneCustomer } from '@tillside/contract/member'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { statement } from '../database/database.ts'
import { call, logIn, testCompany, type TestCompany } from '../testing/factories/company.ts'
import { testMember } from '../testing/factories/member.ts'
import { seenAhead } from './seen.ts'

let company: TestCompany
beforeAll(async () => {
  company = await testCompany({ allowances: { lookUps: { members: 4, minutes: 10 } } })
})
afterAll(() => company.close())

const insert = statement(
  `insert into audit (company_id, place, staff_id, action, member_id, request_id, details)
   select $1, coalesce($3::uuid, uuidv7()), staff_id, $2, $3, 'x', $4
   from staff where company_id = $1 and account = 'amy'`,
  z.unknown(),
)
const readStaff = statement(
  `select staff_id from staff where company_id = $1 and account = 'amy'`,
  z.object({ staff_id: z.string() }),
)

test('look-ups that the release before answers count', async () => {
  const { id } = await testMember(company)
  // Now the process knows the company's limits.
  const nobody = { email: 'none@example.com' }
  await call(company, getOneCustomer, nobody, { token: await logIn(company) })
  const search = randomUUID()
  const { staff_id: staffId } = await company.database.reading(company.id, (tx) =>
    tx.one(readStaff, [company.id]),
  )
  const seen = () =>
    company.database.reading(company.id, (tx) => seenAhead(tx, company.id, staffId))
  const write = (action: string, memberId: string | null, details = {}) =>
    company.database.transaction(company.id, (tx) =>
      tx.run(insert, [company.id, action, memberId, details]),
    )
  await write('member.lookUp', id)
  await write('member.lookUp', null)
  await write('member.searchByName', null, { search })
  await write('points.redeem', id)
  expect(await seen()).toMatchObject({ ids: [id, search].toSorted(), alerted: false })
  await write('staff.alert', id, { kind: 'lookUps' })
  expect(await seen()).toMatchObject({ alerted: true })
  await write('staff.confirm', null)
  expect(await seen()).toMatchObject({ ids: [], alerted: false })
})
