import { existsSync, readFileSync, statSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { Plugin } from 'vite'
import * as z from 'zod/mini'
import { languages } from '@tillside/contract/wire/language'

const compress = promisify(brotliCompress)
const compressible = /\.(?:js|css|svg|json|wasm)$/

/** Writes a `.br` file for each asset, so that the server never compresses during a request. */
export function brotli(): Plugin {
  return {
    name: 'tillside-brotli',
    async writeBundle({ dir }) {
      if (dir === undefined) return
      const names = await readdir(dir, { recursive: true })
      for (const name of names.filter((n) => compressible.test(n))) {
        const file = join(dir, name)
        const bytes = await readFile(file)
        const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
        await writeFile(`${file}.br`, await compress(bytes, { params }))
      }
    },
  }
}

const manifestId = 'virtual:built-assets'
const built = 'dist/client'
const Chunk = z.object({
  file: z.string(),
  name: z.optional(z.string()),
  css: z._default(z.array(z.string()), []),
  assets: z._default(z.array(z.string()), []),
  imports: z._default(z.array(z.string()), []),
})
type Chunks = Record<string, z.infer<typeof Chunk>>

function readManifest(): Chunks {
  const text = readFileSync(`${built}/.vite/manifest.json`, 'utf8')
  return z.parse(z.record(z.string(), Chunk), JSON.parse(text))
}

/**
 * Gives the first page the names of the browser build's hashed files, and its style sheet as text:
 * a page with inline styles paints one round trip earlier.
 */
export function builtAssets(): Plugin {
  return {
    name: 'tillside-built-assets',
    resolveId: (id) => (id === manifestId ? `\0${manifestId}` : null),
    load: (id) => {
      if (id !== `\0${manifestId}`) return null
      const manifest = readManifest()
      const sheets = manifest['src/main.tsx']?.css ?? []
      const styles = sheets.map((file) => readFileSync(`${built}/${file}`, 'utf8')).join('')
      return [
        `export const manifest = ${JSON.stringify(manifest)}`,
        `export const styles = ${JSON.stringify(styles)}`,
        `export const { version } = ${readFileSync(`${built}/version.json`, 'utf8')}`,
      ].join('\n')
    },
  }
}

// The limits for the login page, in bytes after compression: a clerk on a slow phone waits for
// these files.
const budgets = { scripts: 72 * 1024, styles: 10 * 1024, fonts: 50 * 1024 }

/** Fails the build if the login page exceeds a limit. */
export function loginBudget(): Plugin {
  return {
    name: 'tillside-login-budget',
    buildStart() {
      const manifest = readManifest()
      const sizes = loginSizes(manifest)
      for (const [what, limit] of Object.entries(budgets)) {
        const size = sizes.get(what) ?? 0
        const words = `login page: ${what} ${size} of ${limit} bytes`
        if (size > limit) this.error(words)
        this.info(words)
      }
    },
  }
}

/**
 * Fails the build if another file needs that of the search, which is loaded when the page is idle.
 * If it is missing, only its own screens may be missing too.
 */
export function searchApart(): Plugin {
  return {
    name: 'tillside-search-apart',
    buildStart() {
      const manifest = readManifest()
      const isSearch = (name: string) => manifest[name]?.name === 'search'
      const needing = Object.values(manifest).filter(({ imports }) => imports.some(isSearch))
      const files = needing.map(({ file }) => file).join(', ')
      if (files !== '') this.error(`${files} must not need the file of the search`)
    },
  }
}

function loginSizes(manifest: Chunks): Map<string, number> {
  const files = new Set<string>()
  const visit = (name: string): void => {
    const chunk = manifest[name]
    if (chunk === undefined || files.has(chunk.file)) return
    for (const file of [chunk.file, ...chunk.css, ...chunk.assets]) files.add(file)
    chunk.imports.forEach(visit)
  }
  visit('src/main.tsx')
  const sizeOf = (ending: string): number =>
    [...files].filter((file) => file.endsWith(ending)).reduce((sum, file) => sum + weigh(file), 0)
  const catalogues = languages.map((one) =>
    weigh(manifest[`src/locales/${one}.po?first`]?.file ?? ''),
  )
  return new Map([
    ['scripts', sizeOf('.js') + Math.max(...catalogues)],
    ['styles', sizeOf('.css')],
    ['fonts', sizeOf('.woff2')],
  ])
}

function weigh(file: string): number {
  const path = `${built}/${file}`
  const small = `${path}.br`
  return statSync(existsSync(small) ? small : path).size
}
