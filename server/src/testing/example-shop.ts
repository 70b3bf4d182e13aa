import { exampleCoupons, exampleMember } from '@tillside/contract/integration/examples'
import { webhookEvents } from '@tillside/contract/integration/events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { inject } from 'vitest'
import * as z from 'zod/mini'
import { createApp } from '../app.ts'
import { findCompanyId } from '../company/find.ts'
import { type Database, openDatabase, statement } from '../database/database.ts'
import { createPractice } from '../practice/create.ts'
import { tillside } from './command.ts'
import { shortcuts } from './factories/company.ts'
import { companyFolder } from './factories/folder.ts'
import { testKey } from './factories/key.ts'

const act = ['--by', 'Ann Lee', '--reason', 'printed coupons']
const age = statement(
  `update member set changed_at = now() - interval '30 seconds' where company_id = $1`,
  z.unknown(),
)

/** A company like the demo company `aurora`, in which the examples of the documentation work. */
export async function exampleShop() {
  const home = await mkdtemp(join(tmpdir(), 'tillside-examples-'))
  const webhook = `webhooks:
  - id: crm
    url: http://127.0.0.1:9/tillside
    secretVariable: WEBHOOK_SECRET_TEST
    events: [${webhookEvents.join(', ')}]
`
  const timeZone = longDay()
  const { identifier, folder } = await companyFolder(home, (yaml) => {
    const there = yaml.replace('timeZone: America/New_York', `timeZone: ${timeZone}`)
    return `${there}\n${webhook}`
  })
  await run('company', 'apply', folder)
  const database = openDatabase(inject('databaseUrl'))
  const id = await findCompanyId(database, identifier)
  if (id === null) throw new Error('the company was not made')
  const app = await createApp(database, pino({ level: 'silent' }), shortcuts)
  const { key } = await testKey({ database, id })
  const practice = await createPractice(database, id)
  const practiceId = (await findCompanyId(database, practice.identifier)) ?? ''
  const { key: practiceKey } = await testKey({ database, id: practiceId })
  return {
    identifier,
    app,
    key,
    /** The day of the company. */
    today: new Intl.DateTimeFormat('en-CA', { timeZone }).format(),
    /** A test key, of its practice company. */
    practiceKey,
    /** Between `postMembers` and the next call: the coupons that the member has from before. */
    async giveCoupons() {
      for (const [couponId, code] of Object.entries(exampleCoupons)) {
        const file = join(home, `${couponId}.csv`)
        await writeFile(file, `code,memberCode\n${code},${exampleMember}\n`)
        await run('coupon', 'import', identifier, couponId, file, ...act)
      }
    },
    /** As if all changes of members were half a minute ago: the newest are not listed. */
    waitForList: () => waitForList(database, id),
    async close() {
      await app.close()
      await database.close()
      await rm(home, { recursive: true })
    },
  }
}

/**
 * The time zone of the documentation, or another one while the day is about to end there: a sale
 * of the examples is returned an hour later, on the same day.
 */
function longDay(): string {
  const hour = new Intl.DateTimeFormat('en-GB', { timeZone: 'America/New_York', hour: 'numeric' })
  return Number(hour.format()) < 22 ? 'America/New_York' : 'Pacific/Honolulu'
}

async function waitForList(database: Database, id: string): Promise<void> {
  await database.transaction(id, (tx) => tx.run(age, [id]))
}

async function run(...words: string[]): Promise<void> {
  const { code, stderr } = await tillside(...words)
  if (code !== 0) throw new Error(stderr)
}
