import type { getOtherConfig, getSupportedLanguages } from '@tillside/contract/company'
import type { Data } from '@tillside/contract/wire/endpoint'
import type { Context } from '../database/context.ts'
import { textIn } from './definition.ts'
import { settingsOf } from './settings.ts'

export async function readLanguages({
  tx,
  company,
}: Context<typeof getSupportedLanguages>): Promise<Data<typeof getSupportedLanguages>> {
  const { languages } = await settingsOf(tx, company)
  return { languages }
}

/** The company's settings that the portal's screens need, in addition to its theme. */
export async function readOtherConfig({
  tx,
  company,
  language,
}: Context<typeof getOtherConfig>): Promise<Data<typeof getOtherConfig>> {
  const settings = await settingsOf(tx, company)
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
    callingCodes: settings.callingCodes,
    currency: settings.currency,
    birthdayMinAge: settings.birthdayMinAge,
    maskContacts: settings.maskContacts,
  }
}
