import { describe, expect, test } from 'vitest'
import { featureOf, lines, read, source, specifiers, targetOf } from './files.ts'

describe('imports', () => {
  for (const [workspace, line] of Object.entries(lines)) {
    test(`${workspace} imports only to the left`, () => {
      const wrong = importsOf(workspace).filter(({ file, from, to }) => {
        if (from === to || file.includes('.test.') || to === null) return false
        return line.indexOf(to) === -1 || line.indexOf(to) > line.indexOf(from)
      })
      expect(wrong.map(({ file, to }) => `${file} imports ${to}`)).toEqual([])
    })
    test(`every name of ${workspace} is in the line`, () => {
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
  test('only http, app and portal import the web framework', () => {
    const mayUseIt = /^server\/src\/(http\/|app\.ts|portal\.ts|testing\/)/
    const wrong = specifiers('server/src/').filter(
      ({ file, specifier }) => specifier === 'fastify' && !mayUseIt.test(file),
    )
    expect(wrong).toEqual([])
  })
  test('no component of the portal suspends (decision 140)', () => {
    const suspends = /\b(?:lazy|Suspense|lazyRouteComponent)\b[^']*\} from '/
    const found = source.filter((file) => file.startsWith('portal/') && suspends.test(read(file)))
    expect(found).toEqual([])
  })
  test('no files import each other in a circle, types included', () => {
    expect(circles()).toEqual([])
  })
})

/** Imports inside one workspace, as names of its line; null for what is not TypeScript there. */
function importsOf(workspace: string): { file: string; from: string; to: string | null }[] {
  const top = `${workspace}/src/`
  return specifiers(top)
    .filter(({ specifier }) => specifier.startsWith('.'))
    .map(({ file, specifier }) => {
      const target = targetOf(file, specifier)
      const to = target?.startsWith(top) ? featureOf(target) : null
      return { file, from: featureOf(file), to }
    })
}

/** Each circle of imports once. The linter finds only those without types. */
function circles(): string[] {
  const imported = Map.groupBy(specifiers(''), ({ file }) => file)
  const done = new Set<string>()
  const found: string[] = []
  function visit(file: string, path: readonly string[]): void {
    if (path.includes(file)) found.push([...path.slice(path.indexOf(file)), file].join(' → '))
    if (path.includes(file) || done.has(file)) return
    for (const { specifier } of imported.get(file) ?? []) {
      const target = targetOf(file, specifier)
      if (target !== null) visit(target, [...path, file])
    }
    done.add(file)
  }
  for (const file of source) visit(file, [])
  return found
}
