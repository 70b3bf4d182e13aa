import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '@tillside/server/embedded/embedded'
import { openDatabase } from '@tillside/server/database/database'
import { migrate } from '@tillside/server/database/migrate'
import { applyDemoCompanies } from '@tillside/server/demo/companies'
import { createLog } from '@tillside/server/process/log'
import { startServer } from '@tillside/server/testing/servers/process'
import * as z from 'zod/mini'
import { root } from '../../../tools/setup.mjs'

/** The environment through which the journeys find the product. */
const Settings = z.object({
  BASE_URL: z.string(),
  E2E_DATA_DIR: z.string(),
  E2E_DATABASE_URL: z.string(),
})

export type Product = { settings: z.infer<typeof Settings>; stop: () => Promise<void> }

// One running product for each clone of the repository.
const clone = createHash('sha256').update(root).digest('hex').slice(0, 12)
const noteFile = join(tmpdir(), `tillside-e2e-${clone}.json`)

/** Seeds the demo companies. The server then finds them and adds no more members. */
async function seedFew(url: string): Promise<void> {
  const database = openDatabase(url, 4)
  try {
    await applyDemoCompanies(database, createLog({ logLevel: 'warn' }), fewMembers)
  } finally {
    await database.close()
  }
}

/** The product that `run.ts --serve` keeps running, or null. */
export async function findProduct(): Promise<Product | null> {
  const text = await readFile(noteFile, 'utf8').catch(() => null)
  if (text === null) return null
  const settings = Settings.parse(JSON.parse(text))
  const answer = await fetch(`${settings.BASE_URL}/readyz`).catch(() => null)
  return answer?.ok === true ? { settings, stop: async () => undefined } : null
}

/** The members of each company in a short run: seeding 500 takes 25 s of processor time. */
const fewMembers = 40

/**
 * Starts a database and a server with the demo companies.
 * @param isKept other runs may use it, so that it has all of the demo's members
 */
export async function startProduct(isKept: boolean, isLong: boolean): Promise<Product> {
  const folder = await mkdtemp(join(tmpdir(), 'tillside-e2e-'))
  // The server finds this database running and uses it. Its data need not survive a crash.
  const embedded = await startEmbedded(folder, true)
  if (!isKept && !isLong) await seedFew(await migrate(embedded.url))
  const server = startServer({
    DATA_DIR: folder,
    NODE_ENV: 'development',
    DEMO: '1',
    LOG_LEVEL: 'warn',
  })
  const stop = async (): Promise<void> => {
    server.process.kill('SIGTERM')
    await server.ended
    await embedded.destroy()
    await rm(folder, { recursive: true, force: true })
    if (isKept) await rm(noteFile, { force: true })
  }
  const address = await server.ready.catch(async (error: unknown) => {
    await stop()
    throw error
  })
  const settings = {
    BASE_URL: address,
    E2E_DATA_DIR: folder,
    E2E_DATABASE_URL: await migrate(embedded.url),
  }
  if (isKept) await writeFile(noteFile, JSON.stringify(settings))
  return { settings, stop }
}
