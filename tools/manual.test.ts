import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { languages } from '../contract/src/wire/language.ts'
import { allPages } from '../portal/src/manual/chapters.ts'

// The clerks' manual: nothing is missing in any language, and it calls things what the screen does.

const root = join(import.meta.dirname, '..')
const names = (language: string) => readdirSync(join(root, 'docs/manual', language)).sort()
const pagesIn = (language: string) =>
  names(language)
    .filter((name) => name.endsWith('.md'))
    .map((name) => ({
      name,
      text: readFileSync(join(root, 'docs/manual', language, name), 'utf8'),
    }))
const found = (text: string, pattern: RegExp) =>
  Array.from(text.matchAll(pattern), ([, part = '']) => part)
const pictures = (text: string) => found(text, /^!\[[^[\]]+\]\(([a-z0-9-]+\.webp)\)$/gm)
const links = (text: string) => found(text, /(?<!!)\[[^[\]]+\]\(([^()]+)\)/g)
const headings = (text: string) => found(text, /^(#{1,3}) /gm)

const shape = ({ name, text }: { name: string; text: string }) => ({
  name,
  headings: headings(text),
  items: found(text, /^ *(-|\d+\.) /gm),
  pictures: pictures(text),
  links: links(text),
})

for (const language of languages) {
  describe(language, () => {
    test('has every page and no other', () => {
      const pages = pagesIn(language).map(({ name }) => name)
      expect(pages).toEqual(allPages.map((page) => `${page}.md`).sort())
    })

    test('has every picture that a page shows, and shows every one that it has', () => {
      const shown = pagesIn(language).flatMap(({ text }) => pictures(text))
      const kept = names(language).filter((name) => name.endsWith('.webp'))
      expect(kept).toEqual([...new Set(shown)].sort())
    })

    test('says in each page as much as English does: headings, steps, pictures, links', () => {
      expect(pagesIn(language).map(shape)).toEqual(pagesIn('en-US').map(shape))
    })

    test('links only to its own pages', () => {
      const led = pagesIn(language).flatMap(({ text }) => links(text))
      expect(led.filter((to) => !names(language).includes(to))).toEqual([])
    })

    test('sets in bold what stands on the screen, word for word', () => {
      const onScreen = textsIn(language)
      const wrong = pagesIn(language).flatMap(({ name, text }) =>
        found(text, /\*\*([^*]+)\*\*/g)
          .filter((words) => !onScreen.some((pattern) => pattern.test(words)))
          .map((words) => `${name}: ${words}`),
      )
      expect(wrong).toEqual([])
    })
  })
}

/** The portal's texts, each as a pattern with its places for values left open. */
function textsIn(language: string): RegExp[] {
  const po = readFileSync(join(root, `portal/src/locales/${language}.po`), 'utf8')
  const texts = found(po, /^msgstr "(.+)"$/gm).filter((text) => !text.includes(', plural,'))
  return texts.flatMap((text) => {
    const parts = text.replaceAll('\\"', '"').split(/\{\w+\}/)
    // A text of nothing but values would fit anything.
    if (parts.join('').replaceAll(/[^\p{L}]/gu, '') === '') return []
    return [new RegExp(`^${parts.map(escaped).join('.+')}$`)]
  })
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}
