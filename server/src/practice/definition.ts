import type { Language } from '@tillside/contract/wire/language'
import type { Definition, Texts } from '../company/definition.ts'

/** The end of the identifier of every practice company; the database checks it too. */
const practiceEnd = '-practice'

/** Whether an identifier may be that of a practice company. A real one may have it too. */
export function mayBePractice(identifier: string): boolean {
  return identifier.endsWith(practiceEnd)
}

/** The identifier of the practice company of a real one. */
export function practiceIdentifier(identifier: string): string {
  return `${identifier}${practiceEnd}`
}

const namePatterns: Record<Language, (name: string) => string> = {
  'en-US': (name) => `${name} – practice`,
  'zh-CN': (name) => `${name}（练习）`,
  'zh-HK': (name) => `${name}（練習）`,
  'zh-TW': (name) => `${name}（練習）`,
}
const titlePatterns: Record<Language, (title: string) => string> = {
  'en-US': (title) => `PRACTICE · ${title}`,
  'zh-CN': (title) => `练习 · ${title}`,
  'zh-HK': (title) => `練習 · ${title}`,
  'zh-TW': (title) => `練習 · ${title}`,
}

/**
 * The definition of a practice company: the rules, coupons, stores and permissions of the real one
 * under another name, title and colour. Webhooks are left out, because nothing may leave it, and
 * so are the limits of a clerk, because clerks share its accounts.
 */
export function practiceDefinition(real: Definition): Definition {
  const { revision: _, ...rest } = real
  return {
    ...rest,
    identifier: practiceIdentifier(real.identifier),
    names: mapped(real.names, namePatterns),
    titles: mapped(real.titles, titlePatterns),
    color: practiceColour(real.color),
    webhooks: [],
    allowances: {
      lookUps: null,
      couponsRedeemed: null,
      couponsIssued: null,
      pointRedemptions: null,
      pointsSpent: null,
      undone: null,
    },
    receipts: { ...real.receipts, acceptSalesSince: null },
  }
}

function mapped(texts: Texts, patterns: Record<Language, (text: string) => string>): Texts {
  const result: Texts = {}
  for (const [language, pattern] of entriesOf(patterns)) {
    const text = texts[language]
    if (text !== undefined) result[language] = pattern(text)
  }
  return result
}

function entriesOf<K extends string, V>(record: Record<K, V>): [K, V][] {
  const entries: [K, V][] = []
  for (const key in record) entries.push([key, record[key]])
  return entries
}

const violet = { color: '#6b2fb3', hue: 267 }
const orange = { color: '#b34700', hue: 24 }

/** Violet, or orange for a company whose own colour is near violet. */
export function practiceColour(real: string): string {
  const hue = hueOf(real)
  if (hue === null) return violet.color
  const distance = Math.abs(hue - violet.hue)
  return Math.min(distance, 360 - distance) < 70 ? orange.color : violet.color
}

/** The hue of `#rrggbb` in degrees (HSL, CSS Color 4); null for grey. */
function hueOf(color: string): number | null {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    Number.parseInt(color.slice(at, at + 2), 16),
  )
  const most = Math.max(red, green, blue)
  const span = most - Math.min(red, green, blue)
  if (span === 0) return null
  const sector =
    most === red
      ? (green - blue) / span
      : most === green
        ? (blue - red) / span + 2
        : (red - green) / span + 4
  return (sector * 60 + 360) % 360
}
