import type { Language } from '../wire/language.ts'

/**
 * The language to show: the first wish that the company supports or that is near to a supported
 * language, else `fallback`. Near is by language, script and region (BCP 47, with the likely
 * subtags of Unicode CLDR): `en-GB` takes English, `zh-SG` Simplified Chinese, `zh-MO` the
 * Traditional Chinese of Hong Kong, else of Taiwan. A reader of Traditional Chinese is not given
 * Simplified Chinese in its place: the next wish is asked first (decision 0061).
 * @param wishes language tags, the preferred first; null and invalid tags are ignored
 */
export function fittingLanguage(
  supported: readonly Language[],
  wishes: readonly (string | null | undefined)[],
  fallback: Language,
): Language {
  for (const wish of wishes) {
    const fit = nearestLanguage(supported, wish ?? '')
    if (fit !== null) return fit
  }
  return fallback
}

/** The supported language for one wish, or null if none is near: not for `fr`, for example. */
export function nearestLanguage(supported: readonly Language[], wish: string): Language | null {
  return nearTo(wish).find((language) => supported.includes(language)) ?? null
}

/** The languages of the product that a reader of this one can use, the nearest first. */
function nearTo(tag: string): readonly Language[] {
  const { language, script, region } = likely(tag)
  if (language === 'en') return ['en-US']
  // `yue`: the Cantonese of Hong Kong is written as Chinese.
  if (language !== 'zh' && language !== 'yue') return []
  if (script === 'Hans') return ['zh-CN', 'zh-TW', 'zh-HK']
  return region === 'HK' || region === 'MO' ? ['zh-HK', 'zh-TW'] : ['zh-TW', 'zh-HK']
}

/** `zh-MO` is `zh-Hant-MO`. */
function likely(tag: string): { language?: string; script?: string; region?: string } {
  try {
    const { language, script = '', region = '' } = new Intl.Locale(tag).maximize()
    return { language, script, region }
  } catch {
    return {}
  }
}

/**
 * The tags of an Accept-Language header in the order of their quality values (RFC 9110, section
 * 12.5.4): those of equal quality as they are written, those of quality 0 left out.
 */
export function acceptedLanguages(header: string): string[] {
  return header
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.split(';').map((piece) => piece.trim())
      const quality = parameters.find((piece) => /^q=/i.test(piece))?.slice(2)
      return { tag, quality: quality === undefined ? 1 : Number(quality) }
    })
    .filter(({ quality }) => quality > 0 && quality <= 1)
    .sort((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag)
}
