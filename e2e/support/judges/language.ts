import type { Language } from '@tillside/contract/wire/language'
import type { Page } from '@playwright/test'
import { patternOf, textsIn, visibleTextsOn } from '../portal/catalogue.ts'

const english = textsIn('en-US')

/** Texts of the English catalogue that a page in another language still shows. */
export async function englishTextsOn(page: Page, language: Language): Promise<string[]> {
  if (language === 'en-US') return []
  const texts = textsIn(language)
  const foreign = [...english]
    .filter(([id, text]) => texts.get(id) !== text)
    .map(([, text]) => patternOf(text))
    .filter((pattern) => /[a-z]/.test(pattern.source))
  const visible = await visibleTextsOn(page)
  return visible.filter((piece) => foreign.some((pattern) => pattern.test(piece)))
}
