import type { FieldReason } from '@tillside/contract/wire/failures'
import type { Language } from '@tillside/contract/wire/language'
import { regionLevels } from '@tillside/contract/wire/shapes'
import * as z from 'zod/mini'
import {
  countryName,
  hasRegions,
  isCountry,
  isNameless,
  regionName,
  regionsWithin,
} from '../company/regions.ts'

const part = z._default(z.nullable(z.string()), null)

/** Codes where `getDictionary` knows the place, else what was typed. */
export const Address = z.object({
  country: part,
  province: part,
  city: part,
  district: part,
  detail: part,
})
export type Address = z.infer<typeof Address>

/**
 * The first part that cannot be: a country that is none, a region that does not lie in the one
 * above. Where regions have no codes, anything may be typed.
 */
export async function wrongPart(
  address: Address,
): Promise<{ path: keyof Address; reason: FieldReason } | null> {
  const { country } = address
  if (country === null) {
    const given = regionLevels.some((level) => address[level] !== null)
    return given || address.detail !== null ? { path: 'country', reason: 'required' } : null
  }
  if (!isCountry(country)) return { path: 'country', reason: 'notAllowed' }
  if (!hasRegions(country)) return null
  let above: string | null = country
  for (const level of regionLevels) {
    const value = address[level]
    const inside = above === null ? [] : await regionsWithin(above, 'zh-CN')
    // Not everywhere has every level, and below a part that was left out nothing can be named.
    if (inside.every((region) => region.level !== level)) {
      if (value !== null) return { path: level, reason: 'notAllowed' }
      continue
    }
    if (value !== null && inside.every(({ code }) => code !== value)) {
      return { path: level, reason: 'notAllowed' }
    }
    above = value
  }
  return null
}

/**
 * The address as people write it: from large to small without commas in Chinese, from small to
 * large with them in English.
 */
export async function addressLine(address: Address, language: Language): Promise<string | null> {
  const { country, detail } = address
  const coded = country !== null && hasRegions(country)
  const names = await Promise.all(
    regionLevels.map(async (level) => {
      const value = address[level]
      if (value === null || !coded) return value
      return (await isNameless(value)) ? null : regionName(value, language)
    }),
  )
  const parts = [country === null ? null : countryName(country, language), ...names, detail]
    .filter((one) => one !== null)
    // Beijing is a province and the only city in it.
    .filter((one, index, all) => one !== all[index - 1])
  if (parts.length === 0) return null
  return language === 'en-US' ? parts.toReversed().join(', ') : parts.reduce(joined)
}

/** Chinese stands close; between words of other scripts there is a space. */
function joined(before: string, after: string): string {
  const close = /\p{Script=Han}$/u.test(before) || /^\p{Script=Han}/u.test(after)
  return close ? before + after : `${before} ${after}`
}
