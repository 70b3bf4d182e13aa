import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readConfig, Variables } from '../server/src/process/config.ts'
import { root } from './setup.mjs'

// docs/operations.md describes what the program does.

const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const known = Object.keys(Variables.shape)
const page = read('docs/operations.md')
const units = readdirSync(join(root, 'ops')).filter((file) => /\.(service|timer)$/.test(file))

describe('docs/operations.md', () => {
  test('has every variable that the program knows, and no other', () => {
    const table = page.slice(page.indexOf('## The environment'), page.indexOf('## Behind TLS'))
    const rows = [...table.matchAll(/^\| `([A-Z_]+)`/gm)].map(([, name]) => name)
    expect(new Set(rows)).toEqual(new Set(known))
    expect(rows).toHaveLength(known.length)
  })

  test('has the values that it takes when nothing is said', () => {
    const defaults = new Map(
      [...page.matchAll(/^\| `([A-Z_]+)` +\| `([^`]+)`/gm)].map(([, name, value]) => [name, value]),
    )
    const nothing = readConfig({})
    for (const [name, value] of defaults) {
      if (name !== 'PUBLIC_URL') expect(readConfig({ [name ?? '']: value })).toEqual(nothing)
    }
    expect(defaults.size).toBeGreaterThan(8)
  })

  test('names files that are there', () => {
    const named = [...page.matchAll(/\bops\/[\w@.-]+\w|\]\(([\w./-]+\.md)\)/g)].map(
      ([whole, link]) => (link === undefined ? whole : `docs/${link}`),
    )
    expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([])
    const bare = [...page.matchAll(/`((?:tillside-?[\w@.]*|nginx)\.(?:service|timer|conf))`/g)]
    expect(bare.length).toBeGreaterThan(3)
    expect(bare.filter(([, file]) => !existsSync(join(root, `ops/${file}`)))).toEqual([])
  })
})

describe('units of systemd', () => {
  test.each(units)('%s says nothing that the program does not understand', (file) => {
    const text = read(`ops/${file}`)
    const assigned = [...text.matchAll(/^Environment=(.*)$/gm)].flatMap(([, line = '']) =>
      line.split(' ').map((one) => one.split('=')[0] ?? ''),
    )
    const others = new Set(['PATH', 'NODE_COMPILE_CACHE'])
    expect(assigned.filter((name) => !known.includes(name) && !others.has(name))).toEqual([])
    const started = /^ExecStart=.*?((?:ops|tools|server)\/[\w./-]+)/m.exec(text)?.[1]
    expect(started === undefined || existsSync(join(root, started))).toBe(true)
    expect(started === undefined).toBe(file.endsWith('.timer'))
    if (file.endsWith('.timer')) expect(units).toContain(file.replace(/timer$/, 'service'))
  })
})

// During a rolling restart, and after a roll-back, the previous version uses the new schema. Only
// the version after it may remove a thing; its migration is listed here with the reason.
const contracting: Record<string, string> = {}

describe('a migration', () => {
  const gone = /\bdrop\s+(table|column|view|function|procedure|policy|default)\b/i
  const changed = /\brename\b|\balter\s+column\b|\brevoke\b/i
  const files = readdirSync(join(root, 'server/migrations')).filter(
    (file) => !(file in contracting),
  )

  test.each(files)('%s takes nothing away from the version before', (file) => {
    const text = read(`server/migrations/${file}`).replaceAll(/--.*$/gm, '')
    for (const taken of [gone, changed]) expect(taken.exec(text)?.[0]).toBeUndefined()
    const columns = [...text.matchAll(/\badd\s+column\s+([^,;]+)/gi)].map(
      ([, column = '']) => column,
    )
    // It would not fill a column that it does not know.
    const unfilled = /\bnot\s+null\b/i
    const filled = /\b(default|generated)\b/i
    expect(columns.filter((column) => unfilled.test(column) && !filled.test(column))).toEqual([])
  })
})
