import { createHash } from 'node:crypto'
import type { getCustomTheme, Theme } from '@tillside/contract/company'
import type { Language } from '@tillside/contract/wire/language'
import type { Data, Input } from '@tillside/contract/wire/endpoint'
import type { PublicContext } from '../database/context.ts'
import { textIn } from './definition.ts'
import { findCompany, type FoundCompany } from './find.ts'

/** Reads the data that a browser needs before login. */
export async function readTheme(
  context: PublicContext<typeof getCustomTheme>,
  input: Input<typeof getCustomTheme>,
): Promise<Data<typeof getCustomTheme>> {
  const company = await findCompany(context.database, input.xcrmIdentifier)
  if (company === null) return context.fail('identifierUnknown')
  return themeOf(company, context.language)
}

/** The theme in one language, or in the company's first language if it does not have this one. */
export function themeOf(company: FoundCompany, requested: Language): Theme {
  const { settings } = company
  const [first = requested] = settings.languages
  return {
    identifier: company.identifier,
    logo: logoAddress(company),
    name: textIn(settings.names, requested, settings),
    title: textIn(settings.titles, requested, settings),
    theme: { color: settings.color },
    language: first,
    languages: settings.languages,
    layoutStyleConfig: settings.layout,
    practice: company.practice,
  }
}

/**
 * The logo's URL contains a hash of its content, so it can be cached for ever, and a new logo is
 * shown at once.
 */
export function logoAddress(company: Pick<FoundCompany, 'identifier' | 'logo'>): string {
  const hash = createHash('sha256').update(company.logo).digest('hex').slice(0, 16)
  return `/web/logo/${company.identifier}/${hash}.svg`
}
