import { Language } from '@tillside/contract/wire/language'
import type { listTiers } from '@tillside/contract/tier'
import type { Data } from '@tillside/contract/wire/endpoint'
import * as z from 'zod/mini'
import { Texts, textIn } from '../company/definition.ts'
import { settingsOf } from '../company/settings.ts'
import type { Context } from '../database/context.ts'
import { statement } from '../database/database.ts'

const readTiers = statement(
  `select tier_code, names, level, threshold, renew_threshold, benefits from tier
   where company_id = $1 and not stopped order by level`,
  z.object({
    tier_code: z.string(),
    names: Texts,
    level: z.int(),
    threshold: z.string(),
    renew_threshold: z.string(),
    benefits: z.partialRecord(Language, z.array(z.string())),
  }),
)

/** Lists the company's tiers, lowest first. */
export async function readTierList({
  tx,
  company,
  language,
}: Context<typeof listTiers>): Promise<Data<typeof listTiers>> {
  const [settings, rows] = await Promise.all([
    settingsOf(tx, company),
    tx.all(readTiers, [company.id]),
  ])
  const [first = language] = settings.languages
  return {
    items: rows.map((row) => ({
      code: row.tier_code,
      name: textIn(row.names, language, settings),
      level: row.level,
      threshold: row.threshold,
      renewThreshold: row.renew_threshold,
      benefits: row.benefits[language] ?? row.benefits[first] ?? [],
    })),
  }
}
