import * as z from 'zod/mini'
import { withDatabase } from '../database/command.ts'
import { type Database, statement, type Transaction } from '../database/database.ts'
import type { ActOptions } from '../process/author.ts'
import { Settings } from './definition.ts'

const byAddress = statement(
  'select company_id from company_address where identifier = $1',
  z.object({ company_id: z.string() }),
)
const readAddresses = statement(
  'select identifier, company_id from company_address order by identifier',
  z.object({ identifier: z.string(), company_id: z.string() }),
)
const readCompany = statement(
  'select revision, time_zone, settings, logo, practice from company where company_id = $1',
  z.object({
    revision: z.int(),
    time_zone: z.string(),
    settings: Settings,
    logo: z.string(),
    practice: z.boolean(),
  }),
)

export type FoundCompany = {
  id: string
  identifier: string
  revision: number
  timeZone: string
  settings: Settings
  /** SVG text. */
  logo: string
  /** Whether it has fictitious members, for practising. */
  practice: boolean
}

/**
 * Finds the company of an address segment, or null. This is the only look-up before a company is
 * known.
 */
export async function findCompanyId(
  database: Database,
  identifier: string,
): Promise<string | null> {
  const row = await database.withoutCompany((tx) => tx.maybe(byAddress, [identifier]))
  return row?.company_id ?? null
}

/** Lists all companies, ordered by identifier. */
export async function everyCompany(
  database: Database,
): Promise<{ id: string; identifier: string }[]> {
  const rows = await database.withoutCompany((tx) => tx.all(readAddresses, []))
  return rows.map(({ identifier, company_id: id }) => ({ id, identifier }))
}

/** Returns the id of the company that a command names. @throws Error when there is none */
export async function companyNamed(database: Database, identifier: string): Promise<string> {
  const id = await findCompanyId(database, identifier.toLowerCase())
  if (id === null) throw new Error(`there is no company "${identifier}"`)
  return id
}

/**
 * Runs a command's work in one transaction of one company.
 * @param act the options of a command that is recorded in the audit log
 * @throws Error when there is no such company
 */
export function inCompany<T>(
  identifier: string,
  work: (tx: Transaction, companyId: string) => Promise<T>,
  act?: ActOptions,
): Promise<T> {
  return withDatabase(
    async ({ database }) => {
      const id = await companyNamed(database, identifier)
      return database.transaction(id, (tx) => work(tx, id))
    },
    { act },
  )
}

/** Reads the public data of a company, or null. */
export async function findCompany(
  database: Database,
  identifier: string,
): Promise<FoundCompany | null> {
  const id = await findCompanyId(database, identifier)
  if (id === null) return null
  return database.reading(id, (tx) => readFound(tx, id, identifier))
}

async function readFound(tx: Transaction, id: string, identifier: string): Promise<FoundCompany> {
  const row = await tx.one(readCompany, [id])
  return {
    id,
    identifier,
    revision: row.revision,
    timeZone: row.time_zone,
    settings: row.settings,
    logo: row.logo,
    practice: row.practice,
  }
}
