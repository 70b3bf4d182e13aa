import { describe, expect, test } from 'vitest'
import { files, read, source } from './files.ts'

describe('words', () => {
  test('no comment puts work off', () => {
    const marks = /\b(TO[D]O|FIXM[E]|XX[X])\b/
    expect(source.filter((file) => marks.test(read(file)))).toEqual([])
  })
  test('colours are written only in ui and in the theme', () => {
    const wrong = source.filter(
      (file) =>
        /^portal\/src\/(?!ui\/|company\/(?:theme|colour))/.test(file) &&
        !/\.test\.|gallery/.test(file) &&
        /#[0-9a-f]{3,8}\b(?![\w-])|\b(rgb|hsl|oklch)a?\(/i.test(
          read(file).replaceAll(/&#\d+;/g, ''),
        ),
    )
    expect(wrong).toEqual([])
  })
  test('the portal reads the time of day and the day by the shop’s clock only', () => {
    expect(source.filter((file) => readsDeviceClock(file, read(file)))).toEqual([])
  })
  test('no file names a registry or a folder of one machine', () => {
    const texts = files.filter((file) =>
      /\.(ts|tsx|mjs|json|md|yaml|sql|css|html|npmrc)$|run$/.test(file),
    )
    const machine = new RegExp(`registry\\.(npm|yarn)|["'\`( ]/(work|home|root)/`)
    expect(
      texts.filter((file) => file !== 'tools/tidy/words.ts' && machine.test(read(file))),
    ).toEqual([])
  })
  test('no text refers to a page outside the repository', () => {
    const wrong = files
      .filter((file) => /\.(ts|tsx|mjs|md|yaml|sql|css|html|conf|sh)$/.test(file))
      .filter((file) => !/tidy\/words\.ts$|\/readMarkdown\.test\.ts$/.test(file))
      .flatMap((file) => pagesIn(read(file)).map((page) => `${file}: ${page}`))
    expect(wrong).toEqual([])
  })
  test('every @param names a parameter, or a part of one', () => {
    expect(source.flatMap((file) => wrongParams(file, read(file)))).toEqual([])
  })
  test('commands in documents run on every supported Node', () => {
    // Node 20 cannot run TypeScript; `npx node` is the project's own Node 24.
    const direct = /(?<!npx )\bnode (?:\.\/)?(?:bench|e2e|server|tools)\/[\w./-]+\.ts\b/
    const texts = files.filter((file) => file.endsWith('.md') || source.includes(file))
    expect(texts.filter((file) => direct.test(read(file)))).toEqual([])
  })
  test('Chinese texts address the reader politely', () => {
    const texts = files.filter(
      (file) =>
        /^(docs\/manual|companies)\/|\.po$/.test(file) ||
        /^server\/src\/(text|verification|integration)\/\w+(-texts|texts|reasons)\.ts$/.test(file),
    )
    expect(
      texts.filter((file) => /\.(md|po|ts|yaml)$/.test(file) && read(file).includes('你')),
    ).toEqual([])
  })
  test('every catalogue has every text', () => {
    const catalogues = files.filter((file) => /^portal\/src\/locales\/.*\.po$/.test(file))
    expect(catalogues).toHaveLength(4)
    const ids = catalogues.map((file) => idsOf(read(file)))
    for (const other of ids) expect(other).toEqual(ids[0])
  })
})

/** Whether a file of the portal can show a time in the zone of the device. */
function readsDeviceClock(file: string, text: string): boolean {
  if (!file.startsWith('portal/src/') || /\.test\.|gallery/.test(file)) return false
  const part = 'Hours|Minutes|Date|Day|Month|FullYear|TimezoneOffset'
  const method = new RegExp(`\\.(get|set)(${part})\\(|\\.toLocale\\w*String\\(`)
  const withoutZone = /new Intl\.DateTimeFormat\((?![^;]*?\btimeZone\b)/
  // Only the clock and the calendar know the zone that these functions need.
  const imported = /\b(formatTime|formatDate|dayOf)\b[^;]*?from '[./]*text\/format\.ts'/
  const isClock = /^portal\/src\/(kit\/text\/(clock|format)|company\/calendar)\.ts$/.test(file)
  const imports = text.match(/^import [^']*'[^']*'/gm) ?? []
  return (
    method.test(text) ||
    withoutZone.test(text) ||
    (!isClock && imports.some((one) => imported.test(one)))
  )
}

/** Mentions of Markdown files that the repository does not have, and of pages that it never had. */
function pagesIn(text: string): string[] {
  const pages = text.match(/[\w./-]*\w\.md\b|\b(contract|seed|design) page\b/g) ?? []
  return pages.filter((page) => {
    const path = page.replace(/^[./]+/, '')
    return !files.some((file) => file === path || file.endsWith(`/${path}`))
  })
}

/** The names after `@param` that do not occur in the declaration below. */
function wrongParams(file: string, text: string): string[] {
  return [...text.matchAll(/\/\*\*(?:(?!\*\/)[\s\S])*?\*\//g)].flatMap((comment) => {
    const below = text.slice(comment.index + comment[0].length)
    const [declaration = ''] = below.split(/\n\}|\n\n/, 1)
    return [...comment[0].matchAll(/@param (\w+)/g)]
      .filter(([, name = '']) => !new RegExp(`\\b${name}\\b`).test(declaration))
      .map(([found]) => `${file}: ${found}`)
  })
}

/** The ids of a PO file, each with a text. */
function idsOf(po: string): string[] {
  const found = [...po.matchAll(/^msgid "(.+)"\nmsgstr "(.*)"((?:\n".*")*)/gm)]
  const empty = found.filter(([, , text, more]) => text === '' && more === '').map(([, id]) => id)
  expect(empty).toEqual([])
  return found.map(([, id = '']) => id).sort()
}
