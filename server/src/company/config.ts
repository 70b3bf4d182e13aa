import type { getOtherConfig, getSupportedLanguages } from '@tillside/contract/company'
import type { Verb } from '../database/context.ts'
import { textIn } from './definition.ts'
import { settingsOf } from './settings.ts'

export const readLanguages: Verb<typeof getSupportedLanguages> = async ({ tx, company }) => {
  const { languages } = await settingsOf(tx, company)
  return { languages }
}

/** What the portal's screens need to know of the company beyond its theme. */
export const readOtherConfig: Verb<typeof getOtherConfig> = async ({ tx, company, language }) => {
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
    birthdayMinAge: settings.birthdayMinAge,
    maskContacts: settings.maskContacts,
  }
}
