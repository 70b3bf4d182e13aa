import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '@tillside/server/kit/embedded'
import { migrate } from '@tillside/server/kit/migrate'
import { openDatabase } from '@tillside/server/kit/database'
import { findCompanyId } from '@tillside/server/company/find'
import { applyCompany } from '@tillside/server/setup/apply'
import { addStaff } from '@tillside/server/staff/accounts'
import { hashPassword } from '@tillside/server/staff/password'
import { testDefinition } from '@tillside/server/testing/definition'
import { LoginInfo } from '@tillside/contract/auth'
import * as pg from 'pg'
import * as z from 'zod/mini'

export const members = 20_000
/** Coupons that are redeemed one by one; three batches of five for each member lie behind them. */
export const singles = 250_000
const coupons = singles + 15 * members
const root = join(import.meta.dirname, '../..')

/**
 * A durable PostgreSQL with one company, the product in production mode, and the bare reference
 * beside it.
 */
export type World = {
  product: string
  bare: string
  token: string
  ownerUrl: string
  companyId: string
  /** Resident memory of the product's process, in MiB. */
  productMemoryMib(): Promise<number>
  close(): Promise<void>
}

export async function openWorld(): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'tillside-bench-'))
  const embedded = await startEmbedded(folder)
  const programUrl = await migrate(embedded.url)
  const companyId = await makeCompany(programUrl)
  await fill(embedded.url, companyId)
  const environment = {
    DATABASE_URL: embedded.url,
    PORT: '0',
    NODE_ENV: 'production',
    LOG_LEVEL: 'info',
    JOBS: '0', // what happens once a minute would be measured by whom it met
  }
  const product = await run('server/src/main.ts', environment)
  const bare = await run('bench/src/bare.ts', { DATABASE_URL: embedded.url, COMPANY_ID: companyId })
  return {
    product: product.origin,
    bare: bare.origin,
    token: await logIn(product.origin),
    ownerUrl: embedded.url,
    companyId,
    productMemoryMib: () => memoryOf(product.child),
    async close() {
      product.child.kill()
      bare.child.kill()
      await embedded.destroy()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const account = {
  account: 'bench',
  firstName: 'Bench',
  lastName: 'Clerk',
  groupCode: 'full',
  storeCode: 'S1',
}
const password = 'Counter#2026'

async function makeCompany(programUrl: string): Promise<string> {
  const database = openDatabase(programUrl, 2)
  const definition = testDefinition('bench')
  await applyCompany(database, { definition, logo: '<svg/>', checksum: 'bench' })
  const id = await findCompanyId(database, 'bench')
  if (id === null) throw new Error('the company was not made')
  const passwordHash = await hashPassword(password)
  await database.transaction(id, (tx) => addStaff(tx, id, { ...account, passwordHash }))
  await database.close()
  return id
}

/**
 * Members `M1`… with mobiles 852 60000001…, and coupons spread over them; in bulk, as their owner.
 */
async function fill(ownerUrl: string, companyId: string): Promise<void> {
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  await owner.query(`select set_config('app.company_id', '${companyId}', false)`)
  const series = `from generate_series(1, ${members}) n`
  for (const sql of [
    `insert into member (company_id, member_id, member_code, uni_customer_no, card_number,
       first_name, last_name, country_code, mobile, email, registration_date)
     select current_company(), md5('m' || n)::uuid, 'M' || n, 'U' || n, 'C' || n,
       'First' || n, 'Last' || n, '852', (60000000 + n)::text, 'm' || n || '@example.com',
       current_date ${series}`,
    `insert into member_key
     select current_company(), 'code', 'M' || n, md5('m' || n)::uuid ${series}`,
    `insert into member_key
     select current_company(), 'mobile', '+852' || 60000000 + n, md5('m' || n)::uuid ${series}`,
    `insert into member_tier
     select current_company(), md5('m' || n)::uuid, 'associate', current_date, null ${series}`,
    `insert into point_account (company_id, member_id)
     select current_company(), md5('m' || n)::uuid ${series}`,
    `insert into coupon (company_id, coupon_code, member_id, coupon_id, issue_date, start_date,
       expiry_date)
     select current_company(), lpad(n::text, 12, '0'), md5('m' || (1 + n % ${members}))::uuid,
       'TREAT',
       current_date, current_date - 1, current_date + 30 from generate_series(1, ${coupons}) n`,
    'analyze',
  ]) {
    await owner.query(sql)
  }
  await owner.end()
}

async function run(
  program: string,
  environment: Record<string, string>,
): Promise<{ origin: string; child: ChildProcess }> {
  const child = spawn(process.execPath, [join(root, program)], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const origin = await new Promise<string>((done, failed) => {
    let said = ''
    child.stdout?.on('data', (part: Buffer) => {
      said += part.toString()
      const ready = /ready at (http:\S+)/.exec(said)?.[1]
      if (ready === undefined) return
      done(ready)
      // What it logs from here on is read and dropped, as a log collector would read it.
      child.stdout?.removeAllListeners('data').resume()
    })
    child.once('exit', () => failed(new Error(`${program} stopped`)))
  })
  return { origin, child }
}

async function logIn(origin: string): Promise<string> {
  const response = await fetch(`${origin}/web/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ identifier: 'bench', account: account.account, password }),
  })
  const envelope = z.object({ data: LoginInfo }).parse(await response.json())
  return envelope.data.token
}

async function memoryOf(child: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024
}
