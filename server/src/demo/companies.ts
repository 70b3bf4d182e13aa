import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Presets, SingleBar } from 'cli-progress'
import * as z from 'zod/mini'
import type { Definition } from '../company/definition.ts'
import { findCompanyId } from '../company/find.ts'
import { projectRoot } from '../process/config.ts'
import { type Database, isLockTimeout, statement } from '../database/database.ts'
import type { Log } from '../process/log.ts'
import { applyCompany } from '../setup/apply.ts'
import { checksumOf, readFolder } from '../setup/folder.ts'
import { shops } from './goods.ts'
import { memberCount } from './members.ts'
import { demoPassword, seedDemo } from './seed.ts'

export const demoFolder = join(projectRoot, 'companies')

const readState = statement(
  `select source_checksum, exists (select from member where company_id = $1) as has_members
   from company where company_id = $1`,
  z.object({ source_checksum: z.nullable(z.string()), has_members: z.boolean() }),
)

/**
 * Applies the demo companies whose folders have changed, and seeds those without members. When
 * nothing has changed, it only compares checksums.
 * @param count the number of members of each
 */
export async function applyDemoCompanies(
  database: Database,
  log: Log,
  count = memberCount,
): Promise<void> {
  const names = (await readdir(demoFolder)).filter((name) => shops[name] !== undefined)
  const empty = (await Promise.all(names.map((name) => applyOne(database, name, log)))).filter(
    (definition) => definition !== null,
  )
  if (empty.length > 0) await seedAll(database, empty, log, count)
}

/** @returns the definition if the company still needs its demo data, otherwise null */
async function applyOne(database: Database, name: string, log: Log): Promise<Definition | null> {
  const folder = join(demoFolder, name)
  const [checksum, id] = await Promise.all([checksumOf(folder), findCompanyId(database, name)])
  const state =
    id === null ? null : await database.transaction(id, (tx) => tx.maybe(readState, [id]))
  const isCurrent = state?.source_checksum === checksum
  if (isCurrent && state.has_members) return null
  const source = await readFolder(folder)
  if (!isCurrent) {
    const { revision, changes } = await applyCompany(database, source)
    log.info({ company: name, revision, changes: changes.length }, 'company applied')
  }
  return state?.has_members ? null : source.definition
}

async function seedAll(
  database: Database,
  definitions: readonly Definition[],
  log: Log,
  count: number,
): Promise<void> {
  const bar = process.stdout.isTTY
    ? new SingleBar({ format: 'Demo data [{bar}] {value}/{total} members' }, Presets.legacy)
    : null
  bar?.start(definitions.length * count, 0)
  try {
    await Promise.all(
      definitions.map(async (definition) => {
        const begun = performance.now()
        const seeded = await retryWhileLocked(() =>
          seedDemo(database, definition, (members) => bar?.increment(members), count),
        )
        const milliseconds = Math.round(performance.now() - begun)
        if (seeded && bar === null) {
          log.info(
            { company: definition.identifier, members: count, milliseconds },
            'demo data ready',
          )
        }
      }),
    )
  } finally {
    bar?.stop()
  }
}

/**
 * Retries while another process seeds the same company: that process holds its lock for longer than
 * the lock timeout.
 */
async function retryWhileLocked<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!isLockTimeout(error) || tries === 30) throw error
    }
  }
}

/** Addresses, accounts and password, printed after the demo has started. */
export function demoNotice(address: string): string {
  const companies = Object.keys(shops).map((name) => `  ${address}/${name}`)
  return [
    'Demo companies:',
    ...companies,
    'Accounts in each: amy (everything), ben (view only), cleo (inactive store), dan (no menus)',
    `Password: ${demoPassword}`,
    '',
  ].join('\n')
}
