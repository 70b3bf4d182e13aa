import { randomUUID } from 'node:crypto'
import * as pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest'
import { tillside } from '../testing/command.ts'
import { testCompany, type TestCompany } from '../testing/factories/company.ts'
import { createPractice } from './create.ts'

// Another command or request holds what a command needs, for longer than the lock timeout.

let company: TestCompany
const holder = new pg.Client({ connectionString: inject('ownerUrl') })
beforeAll(async () => {
  company = await testCompany()
  await holder.connect()
})
afterEach(() => holder.query('rollback'))
afterAll(async () => {
  await holder.end()
  await company.close()
})

async function begin(companyId: string): Promise<void> {
  await holder.query('begin')
  await holder.query(`set local app.company_id = '${companyId}'`)
}

test('an identifier that another command is about to take is in use', async () => {
  const id = randomUUID()
  await begin(id)
  const identifier = `${company.identifier}-practice`
  await holder.query('insert into company_address values ($1, $2)', [identifier, id])
  const creation = createPractice(company.database, company.id)
  await expect(creation).rejects.toThrow(`"${identifier}" is in use; nothing was changed`)
})

test('a command says that another process changes the same rows', async () => {
  await begin(company.id)
  await holder.query('select from store where company_id = $1 for update', [company.id])
  const { code, stdout, stderr } = await tillside('store', 'deactivate', company.identifier, 'S1')
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toBe(
    'another process is changing the same rows; run the command again when it is done\n',
  )
})
