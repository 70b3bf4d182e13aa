import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '@tillside/server/embedded/embedded'
import { migrate } from '@tillside/server/database/migrate'
import { openDatabase } from '@tillside/server/database/database'
import { findCompanyId } from '@tillside/server/company/find'
import { createKey } from '@tillside/server/staff/keys/key'
import { applyCompany } from '@tillside/server/setup/apply'
import { addStaff } from '@tillside/server/staff/accounts'
import { hashPassword } from '@tillside/server/staff/password'
import { testDefinition } from '@tillside/server/testing/factories/definition'
import { LoginInfo } from '@tillside/contract/auth'
import { scopes } from '@tillside/contract/integration/endpoint'
import * as z from 'zod/mini'

const root = join(import.meta.dirname, '../..')

/**
 * A durable PostgreSQL with one company without members, the product in production mode as `npm
 * start` starts it, and the bare reference.
 */
export type World = {
  product: string
  bare: string
  /** A clerk's session with all permissions and its token, and a till's key. */
  session: LoginInfo
  token: string
  key: string
  ownerUrl: string
  companyId: string
  /** Starts another process of the product on the same database. @returns where it listens */
  another(environment: Record<string, string>): Promise<Program>
  /** The processes that `product` and `bare` are served by. */
  program: Program
  bareProgram: Program
  /** Resident memory of the product's process, in MiB. */
  productMemoryMib(): Promise<number>
  close(): Promise<void>
}

/** A started program, and where it listens. */
export type Program = { origin: string; child: ChildProcess }

export async function openWorld(): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'tillside-bench-'))
  const embedded = await startEmbedded(folder)
  const { companyId, key } = await makeCompany(await migrate(embedded.url))
  const environment = {
    DATABASE_URL: embedded.url,
    PORT: '0',
    NODE_ENV: 'production',
    LOG_LEVEL: 'info',
    KEY_REQUESTS_PER_MINUTE: '999999999', // one till sends all sales
    JOBS: '0', // a job once a minute would slow down only one side of a comparison
  }
  const product = await run('tools/start.mjs', environment)
  const bare = await run('bench/src/bare.ts', { DATABASE_URL: embedded.url, COMPANY_ID: companyId })
  const session = await logIn(product.origin)
  const others: Program[] = []
  return {
    product: product.origin,
    bare: bare.origin,
    session,
    token: session.token,
    key,
    ownerUrl: embedded.url,
    companyId,
    program: product,
    bareProgram: bare,
    async another(more) {
      const other = await run('tools/start.mjs', { ...environment, ...more })
      others.push(other)
      return other
    },
    productMemoryMib: () => memoryOf(product.child),
    async close() {
      for (const { child } of [product, bare, ...others]) child.kill()
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

async function makeCompany(programUrl: string): Promise<{ companyId: string; key: string }> {
  const database = openDatabase(programUrl, 2)
  const exchange = {
    minimum: 200,
    maximum: 5000,
    increment: 100,
    pointValue: '0.01',
    maxShare: 0.5,
  }
  const { points } = testDefinition('bench')
  const definition = testDefinition('bench', { points: { ...points, exchange } })
  // A logo that the browser draws: the company's name in its place would be the largest paint.
  const logo = await readFile(join(root, 'companies/aurora/logo.svg'), 'utf8')
  await applyCompany(database, { definition, logo, checksum: 'bench' })
  const companyId = await findCompanyId(database, 'bench')
  if (companyId === null) throw new Error('the company was not made')
  const passwordHash = await hashPassword(password)
  const { key } = await database.transaction(companyId, async (tx) => {
    await addStaff(tx, companyId, { ...account, passwordHash })
    return createKey(tx, companyId, { name: 'till', scopes, stores: null })
  })
  await database.close()
  return { companyId, key }
}

async function run(program: string, environment: Record<string, string>): Promise<Program> {
  const child = spawn(process.execPath, [join(root, program)], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  process.once('exit', () => child.kill())
  const origin = await new Promise<string>((done, failed) => {
    let output = ''
    child.stdout?.on('data', (part: Buffer) => {
      output += part.toString()
      const ready = /ready at (http:\S+)/.exec(output)?.[1]
      if (ready === undefined) return
      done(ready)
      // Its further log output is read and discarded, as a log collector would read it.
      child.stdout?.removeAllListeners('data').resume()
    })
    child.once('exit', () => failed(new Error(`${program} stopped`)))
  })
  return { origin, child }
}

async function logIn(origin: string): Promise<LoginInfo> {
  const response = await fetch(`${origin}/web/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ identifier: 'bench', account: account.account, password }),
  })
  const envelope = z.object({ data: LoginInfo }).parse(await response.json())
  return envelope.data
}

/** `npm start` keeps running as the parent of the server; the memory of the server is measured. */
async function memoryOf({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${await childOf(pid)}/status`, 'utf8').catch(() => '')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024
}

/** The id of the server's process, whose parent `npm start` is. */
export async function childOf(pid: number | undefined): Promise<string> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  return children.trim()
}
