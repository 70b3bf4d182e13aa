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
} from '../company/regions/regions.ts'

const part = z._default(z.nullable(z.string()), null)

/** Region codes where `getDictionary` knows the place, or else free text. */
export const Address = z.object({
  country: part,
  province: part,
  city: part,
  district: part,
  detail: part,
})
export type Address = z.infer<typeof Address>

/**
 * The first invalid part: an unknown country, or a region that is not within the one above. In
 * countries without region codes any text is accepted.
 */
export async function invalidPart(
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
    // Not every place has every level. Below a part that was left out, nothing can be given.
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
 * Formats the address as it is written: in Chinese from large to small without commas, in English
 * from small to large with commas.
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
    // Beijing is both a province and its only city.
    .filter((one, index, all) => one !== all[index - 1])
  if (parts.length === 0) return null
  return language === 'en-US' ? parts.toReversed().join(', ') : parts.reduce(joined)
}

/** Chinese text is joined without a space; words in other scripts with one. */
function joined(before: string, after: string): string {
  const close = /\p{Script=Han}$/u.test(before) || /^\p{Script=Han}/u.test(after)
  return close ? before + after : `${before} ${after}`
}
