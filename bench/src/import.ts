import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { applyCompany } from '@tillside/server/setup/apply'
import { openDatabase } from '@tillside/server/database/database'
import { startEmbedded } from '@tillside/server/embedded/embedded'
import { migrate } from '@tillside/server/database/migrate'
import { testDefinition } from '@tillside/server/testing/factories/definition'
import * as z from 'zod/mini'

const root = join(import.meta.dirname, '../..')
const sales = join(root, '../shared/data/online-retail.csv.gz')

const Summary = z.object({
  rows: z.object({ read: z.int(), rejected: z.int(), unchanged: z.int() }),
  invoices: z.object({ read: z.int() }),
  seconds: z.number(),
  invoicesPerMinute: z.int(),
  peakMemoryMiB: z.int(),
})
export type ImportRun = z.infer<typeof Summary>

/**
 * Imports the public data set into an empty company with the operators' command, then imports it
 * again.
 * @returns null if the data set is not in `../shared/data`
 */
export async function measureImport(): Promise<{ first: ImportRun; again: ImportRun } | null> {
  if (!existsSync(sales)) return null
  const folder = await mkdtemp(join(tmpdir(), 'tillside-import-'))
  const embedded = await startEmbedded(folder)
  try {
    const database = openDatabase(await migrate(embedded.url), 1)
    const definition = testDefinition('retail', { timeZone: 'Europe/London' })
    await applyCompany(database, { definition, logo: '<svg/>', checksum: 'retail' })
    await database.close()
    return { first: load(embedded.url), again: load(embedded.url) }
  } finally {
    await embedded.destroy()
    await rm(folder, { recursive: true, force: true })
  }
}

function load(databaseUrl: string): ImportRun {
  const mapping = join(root, 'companies/mappings/online-retail.yaml')
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      join(root, 'server/src/cli.ts'),
      'transaction',
      'import',
      sales,
      '--company=retail',
      '--reason=measurement',
      `--mapping=${mapping}`,
      '--json',
    ],
    { encoding: 'utf8', cwd: tmpdir(), env: { ...process.env, DATABASE_URL: databaseUrl } },
  )
  if (status !== 0) throw new Error(`the import failed: ${stderr}`)
  return Summary.parse(JSON.parse(stdout))
}
