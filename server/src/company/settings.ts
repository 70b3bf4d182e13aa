import { currencyDecimals } from '@tillside/contract/rules/money'
import * as z from 'zod/mini'
import { statement, type Transaction } from '../database/database.ts'
import { Settings } from './definition.ts'

type AtRevision = { id: string; revision: number }

const readRevision = statement(
  'select revision from company where company_id = $1',
  z.object({ revision: z.int() }),
)

/**
 * Remembers a part of each company's definition at its newest known revision, so that most requests
 * need not read it. `company apply` makes a new revision for each change, so all processes give the
 * same answers.
 * @param read reads it from tables that only `company apply` writes
 */
export function ofRevision<T extends object>(
  read: (tx: Transaction, companyId: string) => Promise<T>,
) {
  const cache = new Map<string, { revision: number; value: T }>()
  /** The value of exactly this revision, if this process knows it. */
  const known = ({ id, revision }: AtRevision): T | null => {
    const found = cache.get(id)
    return found?.revision === revision ? found.value : null
  }
  return {
    known,
    /** The value of the newest revision that this process knows; null when it knows none. */
    newest: (companyId: string): T | null => cache.get(companyId)?.value ?? null,
    /** The value at the revision that this request has read. */
    read: async (tx: Transaction, company: AtRevision): Promise<T> => {
      const remembered = known(company)
      if (remembered !== null) return remembered
      const [before, value, after] = await Promise.all([
        tx.one(readRevision, [company.id]),
        read(tx, company.id),
        tx.one(readRevision, [company.id]),
      ])
      // A standby may be behind the revision that the request has read, and `company apply` may
      // commit between the statements. The value is then used for this answer only.
      const { revision } = company
      const isOfRevision = before.revision === revision && after.revision === revision
      const isNewer = (cache.get(company.id)?.revision ?? 0) <= revision
      if (isOfRevision && isNewer) cache.set(company.id, { revision, value })
      return value
    },
  }
}

const readSettings = statement(
  'select settings from company where company_id = $1',
  z.object({ settings: Settings }),
)
const remembered = ofRevision(
  async (tx, companyId) => (await tx.one(readSettings, [companyId])).settings,
)

/** Returns the company's settings at the revision that this request has read. */
export const settingsOf = remembered.read
/** The settings of the newest revision that this process knows; null when it knows none. */
export const knownSettings = remembered.newest
/** The settings of exactly this revision, if this process knows them. */
export const settingsAt = remembered.known

/** The decimals of the company's currency: two unless it names another one. */
export function decimalsOf({ currency }: Pick<Settings, 'currency'>): number {
  return currencyDecimals(currency.code)
}
