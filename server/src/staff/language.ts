import type { setLanguage } from '@tillside/contract/company'
import type { Data, Input } from '@tillside/contract/wire/endpoint'
import * as z from 'zod/mini'
import { settingsOf } from '../company/settings.ts'
import type { Context } from '../database/context.ts'
import { statement } from '../database/database.ts'

const writeLanguage = statement(
  `update staff set language = $3 where company_id = $1 and staff_id = $2
     and language is distinct from $3`,
  z.unknown(),
)

/** Stores the clerk's language with the account. */
export async function chooseLanguage(
  context: Context<typeof setLanguage>,
  { language }: Input<typeof setLanguage>,
): Promise<Data<typeof setLanguage>> {
  const { tx, company, staff } = context
  const { languages } = await settingsOf(tx, company)
  if (!languages.includes(language)) return context.fail('languageUnsupported')
  const rows = await tx.run(writeLanguage, [company.id, staff.id, language])
  if (rows > 0) context.changed({ action: 'language', memberId: null, details: { language } })
  return null
}
