import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { formOnNodes } from '@tillside/server/cluster/placement'
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
      // The program also records that a variable names the database.
      const { isDatabaseNamed } = nothing
      const config = { ...readConfig({ [name ?? '']: value }), isDatabaseNamed }
      if (name !== 'PUBLIC_URL') expect(config).toEqual(nothing)
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
    // Of the shell, of Node and of glibc; see mallopt(3) for the last three.
    const others = `PATH NODE_COMPILE_CACHE MALLOC_ARENA_MAX MALLOC_MMAP_THRESHOLD_
      MALLOC_TRIM_THRESHOLD_`.split(/\s+/)
    const understood = new Set([...known, ...others])
    expect(assigned.filter((name) => !understood.has(name))).toEqual([])
    const started = /^ExecStart=.*?((?:ops|tools|server)\/[\w./-]+)/m.exec(text)?.[1]
    expect(started === undefined || existsSync(join(root, started))).toBe(true)
    expect(started === undefined).toBe(file.endsWith('.timer'))
    if (file.endsWith('.timer')) expect(units).toContain(file.replace(/timer$/, 'service'))
  })
})

describe('ops/tillside', () => {
  test('runs the command line as the services’ user, with their environment', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tillside-ops-'))
    try {
      for (const part of ['release/ops', 'release/node_modules/.bin', 'bin']) {
        mkdirSync(join(folder, part), { recursive: true })
      }
      const write = (file: string, text: string): void =>
        writeFileSync(join(folder, file), text, { mode: 0o755 })
      write('environment', read('ops/environment') + "SMTP_URL='smtp://a b&c'\nDATA_DIR=/first\n")
      const script = read('ops/tillside')
      const place = '/etc/tillside/environment\nset +a'
      expect(script).toContain(place)
      write('release/ops/tillside', script.replace(place, `${folder}/environment\nset +a`))
      symlinkSync(join(folder, 'release/ops/tillside'), join(folder, 'bin/tillside'))
      const shown = '"$NODE_ENV" "$SMTP_URL" "$DATA_DIR" "$ARCHIVE_DIR"'
      write('release/node_modules/.bin/node', `#!/bin/sh\nprintf '%s\\n' ${shown} "$@"\n`)
      write('bin/runuser', '#!/bin/sh\n[ "$1 $2 $3" = "-u tillside --" ] && shift 3 && exec "$@"\n')
      const { PATH = '' } = process.env
      const answer = spawnSync('tillside', ['member', 'find', 'a b'], {
        encoding: 'utf8',
        env: { PATH: `${join(folder, 'bin')}:${PATH}`, ARCHIVE_DIR: '' },
      })
      const started = join(realpathSync(folder), 'release/tools/tillside.mjs')
      const values = ['production', 'smtp://a b&c', '/first', '']
      expect(answer).toMatchObject({ status: 0, stderr: '' })
      expect(answer.stdout.split('\n').slice(0, -1)).toEqual([
        ...values,
        started,
        'member',
        'find',
        'a b',
      ])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  test('reads an environment of known variables', () => {
    const names = [...read('ops/environment').matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name)
    expect(names.length).toBeGreaterThan(2)
    expect(names.filter((name) => !known.includes(name ?? ''))).toEqual([])
  })
})

describe('ops/nginx.conf', () => {
  test('keeps a server in each group when the second process is taken out', () => {
    const groups = read('ops/nginx.conf')
      .replaceAll(/^.*127\.0\.0\.1:8082.*\n/gm, '')
      .matchAll(/^upstream \w+ \{([^}]*)\}/gm)
    const servers = [...groups].map(([, inside = '']) => inside.match(/^ *server /gm)?.length)
    expect(servers).toEqual(servers.map(() => 1))
    expect(servers.length).toBeGreaterThan(1)
  })
})

// During a rolling restart, and after a roll-back, the previous version uses the new schema. Only
// the version after it may remove a thing; its migration is listed here with the reason.
const contracting: Record<string, string> = {
  '0120_contract_receipts.sql': 'the version before writes places and keys of receipts itself',
  '0121_contract_coupons.sql': 'the version before counts what it issues in the stock',
  '0122_contract_merges.sql': 'the version before writes payers, merges and look-ups itself',
}

/** The version before does not know a function that this migration makes. */
const withoutOwn = (text: string): string =>
  text.replaceAll(/alter function (\w+) rename to/g, (whole, name: string) =>
    text.includes(`create function ${name}(`) ? '' : whole,
  )

describe('a migration', () => {
  test('makes no function again that has a form for several nodes', () => {
    // The program does not know which form a database has under the name that it calls.
    const made = readdirSync(join(root, 'server/migrations')).flatMap((file) =>
      [
        ...read(`server/migrations/${file}`).matchAll(/^create (?:or replace )?function (\w+)/gm),
      ].map(([, name = '']) => name),
    )
    const forms = made.filter((name) => name.endsWith(formOnNodes))
    expect(forms).not.toEqual([])
    for (const form of forms) {
      const both = [form, form.slice(0, -formOnNodes.length)]
      expect(made.filter((name) => both.includes(name)).toSorted()).toEqual(both.toSorted())
    }
  })

  const gone = /\bdrop\s+(table|column|view|function|procedure|policy|default)\b/i
  const changed = /\brename\b|\balter\s+column\b|\brevoke\b/i
  const files = readdirSync(join(root, 'server/migrations')).filter(
    (file) => !(file in contracting),
  )
  const trigger = /before insert[\w\s]* on (\w+)\s+for each row when \(new\.(\w+) is null\)/g
  const filledColumns = new Set(
    files
      .flatMap((file) => [...read(`server/migrations/${file}`).matchAll(trigger)])
      .map(([, table, column]) => `${table}.${column}`),
  )
  /** A trigger fills these columns when the version before leaves them out. */
  const withoutFilled = (text: string): string =>
    text.replaceAll(
      /alter table (\w+) alter column (\w+) set not null/g,
      (whole, table: string, column: string) =>
        filledColumns.has(`${table}.${column}`) ? '' : whole,
    )

  test.each(files)('%s takes nothing away from the version before', (file) => {
    const sql = read(`server/migrations/${file}`).replaceAll(/--.*$/gm, '')
    const text = withoutOwn(withoutFilled(sql))
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
