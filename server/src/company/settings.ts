import { currencyDecimals } from '@tillside/contract/rules/money'
import * as z from 'zod/mini'
import { statement, type Transaction } from '../database/database.ts'
import { Settings } from './definition.ts'

const readSettings = statement(
  'select revision, settings from company where company_id = $1',
  z.object({ revision: z.int(), settings: Settings }),
)

// Settings of the newest known revision of each company. The settings of a revision never change,
// so a cached revision gives the same answers in every process.
const cache = new Map<string, { revision: number; settings: Settings }>()

/** Returns the company's settings at the revision that this request has read. */
export async function settingsOf(
  tx: Transaction,
  company: { id: string; revision: number },
): Promise<Settings> {
  const known = cache.get(company.id)
  if (known?.revision === company.revision) return known.settings
  const { revision, settings } = await tx.one(readSettings, [company.id])
  // A standby may be behind the revision that was read; its settings are then used for this answer
  // only.
  if (revision === company.revision) cache.set(company.id, { revision, settings })
  return settings
}

/** The decimals of the company's currency: two unless it names another one. */
export function decimalsOf({ currency }: Pick<Settings, 'currency'>): number {
  return currencyDecimals(currency.code)
}

/** The settings of the newest revision that this process knows; null when it knows none. */
export function knownSettings(companyId: string): Settings | null {
  return cache.get(companyId)?.settings ?? null
}

/** The settings of exactly this revision, if this process knows them. */
export function settingsAt({ id, revision }: { id: string; revision: number }): Settings | null {
  const known = cache.get(id)
  return known?.revision === revision ? known.settings : null
}
