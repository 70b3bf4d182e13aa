import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'

// The rules of the house as one test. A rule that matters is a check that fails.

const root = join(import.meta.dirname, '..')
const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
const files = listed.split('\n').filter((file) => file !== '' && existsSync(join(root, file)))
const source = files.filter((file) =>
  /^(contract|server|portal|e2e|bench|tools)\/.*\.(ts|tsx|mjs)$/.test(file),
)
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

/** What each side may import: only names to the left of its own, and its own folder. */
const lines: Record<string, string[]> = {
  server: (
    'values text process embedded database outbox http company staff verification member tier ' +
    'points register coupon spending transaction activity integration dossier setup jobs metrics ' +
    'portal app demo main cli testing faults'
  ).split(' '),
  portal: (
    'ui kit camera paths company staff watch tier points coupon transaction member search form ' +
    'consent register profile home shell manual routes first-page main gallery-texts gallery'
  ).split(' '),
}

describe('imports', () => {
  for (const [workspace, line] of Object.entries(lines)) {
    test(`${workspace} imports only to the left`, () => {
      const wrong = importsOf(workspace).filter(({ file, from, to }) => {
        if (from === to || file.includes('.test.') || to === null) return false
        return line.indexOf(to) === -1 || line.indexOf(to) > line.indexOf(from)
      })
      expect(wrong.map(({ file, to }) => `${file} imports ${to}`)).toEqual([])
    })
    test(`every name of ${workspace} stands in the line`, () => {
      const names = importsOf(workspace).map(({ from }) => from)
      expect(names.filter((name) => !line.includes(name))).toEqual([])
    })
  }
  test('the contract imports the schema library and nothing else', () => {
    const foreign = specifiers('contract/src/').filter(
      ({ file, specifier }) =>
        !file.includes('.test.') && !specifier.startsWith('.') && specifier !== 'zod/mini',
    )
    expect(foreign).toEqual([])
  })
  test('the portal takes only the small form of the schema library', () => {
    expect(specifiers('portal/src/').filter(({ specifier }) => specifier === 'zod')).toEqual([])
  })
  test('verbs know nothing of HTTP', () => {
    const doors = /^server\/src\/(http\/|app\.ts|portal\.ts|testing\/)/
    const wrong = specifiers('server/src/').filter(
      ({ file, specifier }) => specifier === 'fastify' && !doors.test(file),
    )
    expect(wrong).toEqual([])
  })
})

describe('size and shape', () => {
  test('no source file is longer than 300 lines', () => {
    expect(source.filter((file) => read(file).split('\n').length > 301)).toEqual([])
  })
  test('no line is wider than 100 columns', () => {
    const wide = source.flatMap((file) =>
      read(file)
        .split('\n')
        .flatMap((text, n) => (text.length > 100 ? [`${file}:${n + 1}`] : [])),
    )
    expect(wide).toEqual([])
  })
  test('a folder holds at most 14 source files beside their tests', () => {
    const folders = Map.groupBy(
      source.filter((file) => !file.includes('.test.')),
      dirname,
    )
    const full = [...folders].filter(([folder, inside]) => folder !== 'e2e' && inside.length > 14)
    expect(full.map(([folder, inside]) => `${folder}: ${inside.length}`)).toEqual([])
  })
  test('nothing lies deeper than workspace/src/feature/room/file', () => {
    expect(source.filter((file) => file.split('/').length > 5)).toEqual([])
  })
  test('no file has a name that says nothing', () => {
    const empty = /(^|\/)(utils?|helpers?|common|services?|types|index)(\/|\.tsx?$)/
    expect(source.filter((file) => empty.test(file))).toEqual([])
  })
})

describe('words', () => {
  test('nothing is put off in a comment', () => {
    const marks = /\b(TO[D]O|FIXM[E]|XX[X])\b/
    expect(source.filter((file) => marks.test(read(file)))).toEqual([])
  })
  test('a colour is written in ui and in the theme, nowhere else', () => {
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
  test('no committed file names a registry or a folder of somebody’s machine', () => {
    const texts = files.filter((file) =>
      /\.(ts|tsx|mjs|json|md|yaml|sql|css|html|npmrc)$|run$/.test(file),
    )
    const machine = new RegExp(`registry\\.(npm|yarn)|["'\`( ]/(work|home|root)/`)
    expect(
      texts.filter((file) => file !== 'tools/tidy.test.ts' && machine.test(read(file))),
    ).toEqual([])
  })
  test('every catalogue has every text', () => {
    const catalogues = files.filter((file) => /^portal\/src\/locales\/.*\.po$/.test(file))
    expect(catalogues).toHaveLength(4)
    const ids = catalogues.map((file) => idsOf(read(file)))
    for (const other of ids) expect(other).toEqual(ids[0])
  })
})

/** The ids of a PO file, each with a text. */
function idsOf(po: string): string[] {
  const found = [...po.matchAll(/^msgid "(.+)"\nmsgstr "(.*)"((?:\n".*")*)/gm)]
  const empty = found.filter(([, , text, more]) => text === '' && more === '').map(([, id]) => id)
  expect(empty).toEqual([])
  return found.map(([, id = '']) => id).sort()
}

function specifiers(folder: string): { file: string; specifier: string }[] {
  return source
    .filter((file) => file.startsWith(folder))
    .flatMap((file) =>
      [...read(file).matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => ({
        file,
        specifier: match[1] ?? '',
      })),
    )
}

/** Imports inside one workspace as names of its line: folders, or files that stand beside them. */
function importsOf(workspace: string): { file: string; from: string; to: string | null }[] {
  const top = `${workspace}/src/`
  const nameOf = (path: string): string =>
    path.slice(top.length).includes('/')
      ? (path.slice(top.length).split('/')[0] ?? '')
      : basename(path).replace(/(\.test)?\.(ts|tsx|css|html)$/, '')
  return specifiers(top)
    .filter(({ specifier }) => specifier.startsWith('.'))
    .map(({ file, specifier }) => {
      const target = normalize(join(dirname(file), specifier))
      const to = target.startsWith(top) && /\.tsx?$/.test(target) ? nameOf(target) : null
      return { file, from: nameOf(file), to }
    })
}
