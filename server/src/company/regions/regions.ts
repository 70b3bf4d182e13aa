import type { Language } from '@tillside/contract/wire/language'
import type { RegionLevel } from '@tillside/contract/wire/shapes'
import { getCountries, getCountryCallingCode, isSupportedCountry } from 'libphonenumber-js/max'
import * as z from 'zod/mini'
import { englishNames, englishWithin, taiwanKinds } from './regions-english.ts'

// The regions of mainland China, Hong Kong, Macau and Taiwan by the codes of GB/T 2260, from
// @vant/area-data. In other countries an address is free text. The data is loaded on first use.

export type Region = { code: string; name: string; level: RegionLevel }

/**
 * Entries of the package for Taiwan that are not among its 368 townships: names from before a
 * reform, an error, and places without addresses.
 */
const dropped = new Set(
  (
    '710203 711299 711487 711488 711490 711491 711492 711493 711494 711495 711496 711498 711499 ' +
    '711583 711783 712484 712688'
  ).split(' '),
)
/** A district missing from the package, and two whose kind was changed by a reform. */
const corrections = { '711131': '金山区', '711489': '龙潭区', '711497': '复兴区' }
/** Levels that exist in the tables only because of the code. */
const nameless = /^(县|省直辖县|自治区直辖县级行政区划)$/
/** Names for which the conversion from simplified characters chooses the wrong traditional one. */
const corrected: Readonly<Record<string, string>> = {
  湖里区: '湖里區',
  云岩区: '雲岩區',
  岳池县: '岳池縣',
  岳普湖县: '岳普湖縣',
}

type Known = {
  /** By the code of the country or region that contains them. */
  within: ReadonlyMap<string, readonly { code: string; level: RegionLevel }[]>
  /** In simplified characters. */
  names: ReadonlyMap<string, string>
  english: ReadonlyMap<string, string>
}
type Converter = (text: string) => string

let known: Promise<Known> | null = null
let converters: Promise<Record<'zh-HK' | 'zh-TW', Converter>> | null = null

/** Countries and regions in the order of their names in a language. */
export function countriesIn(language: Language): { code: string; name: string }[] {
  const collator = new Intl.Collator(language)
  return getCountries()
    .map((code: string) => ({ code, name: countryName(code, language) }))
    .sort((a, b) => collator.compare(a.name, b.name))
}

/** The name of a country or region. Other texts are returned unchanged. */
export function countryName(code: string, language: Language): string {
  if (!/^[A-Z]{2}$/.test(code)) return code
  const style = code in roots ? 'short' : 'long'
  return new Intl.DisplayNames(language, { type: 'region', style }).of(code) ?? code
}

/** Whether a code is one of `countriesIn`. */
export function isCountry(code: string): boolean {
  return isSupportedCountry(code)
}

/**
 * The country of a store, ISO 3166-1 alpha-2, such as `MO`: its calling code is tried first for a
 * number without one. Null: the company's first calling code.
 */
export const StoreCountry = z.nullable(
  z.string().check(z.regex(/^[A-Z]{2}$/), z.refine(isCountry, { error: 'is not a country' })),
)

/**
 * The calling code of a country, without `+`.
 * @throws Error if the code is none of `countriesIn`
 */
export function callingCodeOf(country: string): string {
  if (!isSupportedCountry(country)) throw new Error(`${country} is not a country`)
  return getCountryCallingCode(country)
}

/** Whether the regions of a country have codes. */
export function hasRegions(country: string): boolean {
  return country in roots
}

/**
 * The regions one level below a country or region, in the order of their codes; empty where none
 * are known.
 */
export async function regionsWithin(parent: string, language: Language): Promise<Region[]> {
  const { within } = await load()
  const inside = within.get(parent) ?? []
  const names = await Promise.all(inside.map(({ code }) => regionName(code, language)))
  return inside.map(({ code, level }, index) => ({ code, name: names[index] ?? code, level }))
}

/**
 * The name of a region: local characters in Chinese; in English the name used by its
 * administration, or else the Chinese name. Other texts are returned unchanged.
 */
export async function regionName(code: string, language: Language): Promise<string> {
  const { names, english } = await load()
  const name = names.get(code)
  if (name === undefined) return code
  if (language === 'zh-CN') return name
  if (language === 'en-US') return english.get(code) ?? name
  return corrected[name] ?? (await loadConverters())[language](name)
}

/** Whether a code is for a level that is left out of a written address. */
export async function isNameless(code: string): Promise<boolean> {
  return nameless.test((await load()).names.get(code) ?? '')
}

const roots: Readonly<Record<string, { prefix: RegExp; top: RegionLevel }>> = {
  CN: { prefix: /^(?!71|81|82)/, top: 'province' },
  HK: { prefix: /^81/, top: 'city' },
  MO: { prefix: /^82/, top: 'city' },
  TW: { prefix: /^71/, top: 'city' },
}

function load(): Promise<Known> {
  known ??= readAreas()
  return known
}

async function readAreas(): Promise<Known> {
  const { areaList } = await import('@vant/area-data')
  const tables = [
    ['province', areaList.province_list],
    ['city', areaList.city_list],
    ['district', { ...areaList.county_list, ...corrections }],
  ] as const
  const within = new Map<string, { code: string; level: RegionLevel }[]>()
  const names = new Map<string, string>()
  for (const [level, table] of tables) {
    for (const [code, name] of Object.entries(table)) {
      if (dropped.has(code) || name === '其它区') continue
      const parent = parentOf(code, level)
      if (parent === null) continue
      within.set(parent, [...(within.get(parent) ?? []), { code, level }])
      names.set(code, name)
    }
  }
  return { within, names, english: englishOf(within, names) }
}

/**
 * Null: the level above the top one of Hong Kong, Macau and Taiwan, which is never written there.
 */
function parentOf(code: string, level: RegionLevel): string | null {
  const [country = 'CN', root] = Object.entries(roots).find(([, r]) => r.prefix.test(code)) ?? []
  if (level === root?.top) return country
  if (level === 'province') return null
  return level === 'city' ? `${code.slice(0, 2)}0000` : `${code.slice(0, 4)}00`
}

function englishOf(within: Known['within'], names: Known['names']): Map<string, string> {
  const english = new Map(Object.entries(englishNames))
  for (const [parent, list] of Object.entries(englishWithin)) {
    const inside = within.get(parent) ?? []
    const stems = list.split(', ')
    if (stems.length !== inside.length) throw new Error(`${parent} lacks an English name`)
    for (const [index, { code }] of inside.entries()) {
      const kind = code.startsWith('71') ? taiwanKinds[names.get(code)?.at(-1) ?? ''] : undefined
      english.set(code, [stems[index], kind].filter((part) => part !== undefined).join(' '))
    }
  }
  return english
}

function loadConverters(): Promise<Record<'zh-HK' | 'zh-TW', Converter>> {
  converters ??= makeConverters()
  return converters
}

/**
 * OpenCC's converters with only the few hundred phrases that occur in names of regions: the
 * complete dictionaries would take a hundred megabytes.
 */
async function makeConverters(): Promise<Record<'zh-HK' | 'zh-TW', Converter>> {
  const [{ ConverterFactory }, { configs }, { names }] = await Promise.all([
    import('opencc-js/core'),
    import('opencc-js/preset/cn2t'),
    load(),
  ])
  const parts = new Set<string>()
  for (const name of names.values()) {
    const characters = Array.from(name)
    for (let from = 0; from < characters.length; from++) {
      for (let to = from + 1; to <= characters.length; to++) {
        parts.add(characters.slice(from, to).join(''))
      }
    }
  }
  const occurring = (dictionary: string | readonly (readonly [string, string])[]) =>
    typeof dictionary !== 'string' || dictionary.length < 50_000
      ? dictionary
      : dictionary
          .split('|')
          .filter((entry) => parts.has(entry.split(' ', 1)[0] ?? ''))
          .join('|')
  const converterOf = (config: string) => {
    const chain = configs?.[config]?.conversionChain ?? []
    return ConverterFactory(...chain.map((group) => group.map(occurring)))
  }
  return { 'zh-HK': converterOf('s2hk'), 'zh-TW': converterOf('s2tw') }
}
