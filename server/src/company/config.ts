import type { getOtherConfig, getSupportedLanguages } from '@tillside/contract/company'
import type { Data } from '@tillside/contract/wire/endpoint'
import * as z from 'zod/mini'
import type { Context } from '../database/context.ts'
import { statement } from '../database/database.ts'
import { textIn } from './definition.ts'
import { callingCodeOf } from './regions/regions.ts'
import { settingsOf } from './settings.ts'

export async function readLanguages({
  tx,
  company,
}: Context<typeof getSupportedLanguages>): Promise<Data<typeof getSupportedLanguages>> {
  const { languages } = await settingsOf(tx, company)
  return { languages }
}

const readCountry = statement(
  'select country from store where company_id = $1 and store_code = $2',
  z.object({ country: z.nullable(z.string()) }),
)

/** The company's settings that the portal's screens need, in addition to its theme. */
export async function readOtherConfig({
  tx,
  company,
  store,
  language,
}: Context<typeof getOtherConfig>): Promise<Data<typeof getOtherConfig>> {
  const [settings, { country }] = await Promise.all([
    settingsOf(tx, company),
    tx.one(readCountry, [company.id, store.code]),
  ])
  const { points, staticPage } = settings
  return {
    timeZone: company.timeZone,
    undoMinutes: settings.undoMinutes,
    profileFields: settings.profileFields,
    pointExchangeRule: points.exchange,
    pointNames: {
      singular: textIn(points.names.singular, language, settings),
      plural: textIn(points.names.plural, language, settings),
    },
    idleLockMinutes: settings.idleLockMinutes,
    staticPage: staticPage && {
      title: textIn(staticPage.titles, language, settings),
      body: textIn(staticPage.bodies, language, settings),
    },
    callingCodes: storeFirst(settings.callingCodes, country),
    currency: settings.currency,
    birthdayMinAge: settings.birthdayMinAge,
    maskContacts: settings.maskContacts,
  }
}

/** The calling codes of the company's members, the one of the store's own country first. */
function storeFirst(callingCodes: readonly string[], country: string | null): string[] {
  const own = country === null ? [] : [callingCodeOf(country)]
  return [...new Set([...own, ...callingCodes])]
}
