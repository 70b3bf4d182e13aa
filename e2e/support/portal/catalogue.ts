import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Language } from '@tillside/contract/wire/language'
import type { Page } from '@playwright/test'

/** The portal's texts in one language, by id. */
export function textsIn(language: Language): Map<string, string> {
  const file = join(import.meta.dirname, `../../../portal/src/locales/${language}.po`)
  const pairs = readFileSync(file, 'utf8').matchAll(/^msgid "(.+)"\nmsgstr "(.+)"$/gm)
  return new Map(Array.from(pairs, ([, id = '', text = '']) => [id, text.replaceAll('\\"', '"')]))
}

const inEnglish = textsIn('en-US')

/** A text of the portal in English. Journeys name it by its id, so that its words may change. */
export function english(id: string): string {
  const text = inEnglish.get(id)
  if (text === undefined) throw new Error(`the catalogue has no text ${id}`)
  return text
}

/** Each visible text, label and placeholder of the page. */
export async function visibleTextsOn(page: Page): Promise<string[]> {
  const pieces = await page.evaluate(() => {
    const found: string[] = [document.title]
    for (const element of document.body.querySelectorAll('*')) {
      if (element.closest('script, style') !== null || !element.checkVisibility()) continue
      for (const name of ['aria-label', 'placeholder', 'title', 'alt', 'aria-valuetext']) {
        found.push(element.getAttribute(name) ?? '')
      }
      for (const node of element.childNodes) {
        if (node.nodeType === Node.TEXT_NODE) found.push(node.textContent ?? '')
      }
    }
    return found
  })
  return [...new Set(pieces.map((piece) => piece.trim()))].filter((piece) => piece !== '')
}

/** A text with its places for values left open, as a pattern for the whole of a piece. */
export function patternOf(text: string): RegExp {
  const parts = text.split(/\{(?:[^{}]|\{[^{}]*\})*\}/)
  return new RegExp(`^${parts.map((part) => RegExp.escape(part)).join('.+')}$`)
}
