import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { runJob } from '../jobs/job.ts'
import { retentionJob } from '../jobs/retention.ts'
import { statement } from '../database/database.ts'
import { type MessageFixture, messageFixture } from '../testing/messages.ts'
import { testLink } from '../testing/factories/staff.ts'
import { waitingCode } from '../testing/verification.ts'
import { createProof } from './proof.ts'

let stage: MessageFixture
beforeAll(async () => {
  stage = await messageFixture()
})
afterAll(() => stage.company.close())

const tables = ['contact_code', 'contact_proof', 'message', 'access_link'] as const
async function counts(): Promise<number[]> {
  const { database, id } = stage.company
  const sql = `select array[${tables
    .map((name) => `(select count(*) from ${name} where company_id = $1)`)
    .join(', ')}]::int[] as n`
  const all = statement(sql, z.object({ n: z.array(z.int()) }))
  return (await database.reading(id, (tx) => tx.one(all, [id]))).n
}

test('retention deletes codes, proofs, messages and links that are no longer needed', async () => {
  const { database, id } = stage.company
  const clean = () => runJob(database, id, retentionJob, pino({ level: 'silent' }), { now: true })
  const number = await stage.sendSms()
  await waitingCode(stage.company, number)
  await testLink(stage.company, 'amy')
  const contact = { purpose: 'register', contact: 'mobile', value: number } as const
  await database.transaction(id, async (tx) => createProof(tx, stage.company, contact))
  await clean()
  expect(await counts()).toEqual([1, 1, 1, 1])

  // The code has expired, but the number of codes sent still counts.
  await stage.run(
    `update contact_code set expires_at = now() - interval '23 hours' where company_id = $1`,
  )
  await stage.run('update contact_proof set expires_at = now() where company_id = $1')
  await stage.run('update message set not_after = now() where company_id = $1')
  await stage.deliver('sms', {})
  await clean()
  expect(await counts()).toEqual([1, 0, 1, 1])

  await stage.run(
    `update contact_code set expires_at = now() - interval '25 hours' where company_id = $1`,
  )
  await stage.run(`update message set settled_at = now() - interval '8 days' where company_id = $1`)
  await stage.run(
    `update access_link set created_at = now() - interval '2 days',
       expires_at = now() - interval '2 days' where company_id = $1`,
  )
  await clean()
  expect(await counts()).toEqual([0, 0, 0, 0])
})
