import { hash as digest } from 'node:crypto'
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
  const hash = digest('sha256', company.logo, 'hex').slice(0, 16)
  return `/web/logo/${company.identifier}/${hash}.svg`
}

/** The web app manifest (W3C Web Application Manifest) of a company, in one language. */
export function manifestOf(company: FoundCompany, language: Language): object {
  const { identifier, settings } = company
  const source = `/web/app/${identifier}/icon.svg`
  return {
    id: `/${identifier}/index`,
    name: textIn(settings.titles, language, settings),
    short_name: textIn(settings.names, language, settings),
    lang: language,
    start_url: `/${identifier}/index`,
    scope: `/${identifier}/`,
    display: 'standalone',
    theme_color: settings.color,
    background_color: '#f7f7f7',
    icons: ['any', 'maskable'].map((purpose) => {
      return { src: source, sizes: 'any', type: 'image/svg+xml', purpose }
    }),
  }
}

/** The company's icon: the first letter of its name on its colour. Logos are too wide for one. */
export function iconOf({ settings }: FoundCompany): string {
  const [first = settings.languages[0] ?? 'en-US'] = settings.languages
  const [letter = ''] = textIn(settings.names, first, settings).toUpperCase()
  const ink = isLight(settings.color) ? '#000000' : '#ffffff'
  const safe = letter.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512" width="512" height="512">' +
    `<rect width="512" height="512" fill="${settings.color}"/>` +
    `<text x="256" y="352" font-family="sans-serif" font-size="272" font-weight="700" ` +
    `text-anchor="middle" fill="${ink}">${safe}</text></svg>`
  )
}

/** By the relative luminance of WCAG 2; at 0.179 black and white have the same contrast. */
function isLight(color: string): boolean {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179
}
