import { dictionaryTypes, pointTypes, transactionSources } from '@tillside/contract/wire/codes'
import type { getDictionary } from '@tillside/contract/company'
import type { Language, PerLanguage } from '@tillside/contract/wire/language'
import type { RegionLevel } from '@tillside/contract/wire/shapes'
import type { Data, Input } from '@tillside/contract/wire/endpoint'
import type { Context } from '../../database/context.ts'
import { invalidField } from '../../text/invalid.ts'
import { type Settings, textIn } from '../definition.ts'
import * as names from './texts.ts'
import { countriesIn, regionsWithin } from '../regions/regions.ts'
import { ladderOf } from '../ladder.ts'
import { settingsOf } from '../settings.ts'

type CodeNames = { code: string | number; name: string; level?: RegionLevel }[]
type DictionaryType = (typeof dictionaryTypes)[number]

/**
 * Reads codes with their names in the caller's language. A company may have its own names for point
 * types.
 */
export async function readDictionary(
  context: Context<typeof getDictionary>,
  input: Input<typeof getDictionary>,
): Promise<Data<typeof getDictionary>> {
  const { types, parent } = input
  if (types.includes('region') && parent === undefined) {
    return context.fail('invalid', invalidField('parent', 'required', context.language))
  }
  const settings = await settingsOf(context.tx, context.company)
  const entries = await Promise.all(
    types.map(async (type) => [type, await dictionaryOf(type, context, settings, parent)] as const),
  )
  return Object.fromEntries(entries)
}

async function dictionaryOf(
  type: DictionaryType,
  { tx, company, language }: Context<typeof getDictionary>,
  settings: Settings,
  parent = '',
): Promise<CodeNames> {
  switch (type) {
    case 'gender':
      return listed(names.genderNames, language)
    case 'couponStatus':
      return listed(names.couponStatusNames, language)
    case 'transactionStatus':
      return listed(names.transactionStatusNames, language)
    case 'invoiceType':
      return listed(names.invoiceTypeNames, language)
    case 'transactionSource':
      return [
        { code: transactionSources.offlineStore, name: names.sourceNames.offlineStore[language] },
        {
          code: transactionSources.officialWebsite,
          name: names.sourceNames.officialWebsite[language],
        },
        ...settings.sources.map((s) => ({
          code: s.code,
          name: textIn(s.names, language, settings),
        })),
      ]
    case 'pointType':
      return Object.entries(names.pointTypeNames).map(([name, texts]) => {
        const own = settings.points.typeNames[name]
        const [, known] = Object.entries(pointTypes).find(([key]) => key === name) ?? []
        if (known === undefined) throw new Error(`point type ${name} has no code`)
        return { code: known.code, name: own ? textIn(own, language, settings) : texts[language] }
      })
    case 'tier': {
      const tiers = await ladderOf(tx, company)
      return tiers.map(({ code, names: n }) => ({ code, name: textIn(n, language, settings) }))
    }
    case 'callingCode':
      return settings.callingCodes.map((code) => ({
        code,
        name: names.callingCodeNames[code]?.[language] ?? `+${code}`,
      }))
    case 'country':
      return countriesIn(language)
    case 'region':
      return regionsWithin(parent, language)
  }
}

function listed(table: Record<string, PerLanguage<string>>, language: Language): CodeNames {
  return Object.entries(table).map(([code, texts]) => ({ code, name: texts[language] }))
}
