import { readFileSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { Plugin } from 'vite'
import * as z from 'zod/mini'
import { languages } from '@tillside/contract/language'

const compress = promisify(brotliCompress)
const compressible = /\.(?:js|css|svg|json|wasm)$/

/** Writes a `.br` beside each asset, so that the server never compresses while a clerk waits. */
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
const Manifest = z.object({ 'src/main.tsx': z.object({ css: z.array(z.string()) }) })

/**
 * Gives the first page the names of the browser build's hashed files, and its style sheet itself:
 * a page that carries its styles paints one round trip earlier.
 */
export function builtAssets(): Plugin {
  return {
    name: 'tillside-built-assets',
    resolveId: (id) => (id === manifestId ? `\0${manifestId}` : null),
    load: (id) => {
      if (id !== `\0${manifestId}`) return null
      const manifest = readFileSync('dist/client/.vite/manifest.json', 'utf8')
      const sheets = Manifest.parse(JSON.parse(manifest))['src/main.tsx'].css
      const styles = sheets.map((file) => readFileSync(`dist/client/${file}`, 'utf8')).join('')
      return `export const manifest = ${manifest}; export const styles = ${JSON.stringify(styles)}`
    },
  }
}

// The macro marks what it has turned into a lookup; in production only the id is left in it.
const usedText = /\/\*\s*i18n\s*\*\/\s*\{\s*"?id"?:\s*["'`]([^"'`]+)["'`]/g
const knownText = /^msgid "(.+)"$/gm

/** Lingui fails on a text without translation; this fails on a text that no catalogue has. */
export function everyTextTranslated(): Plugin {
  const used = new Set<string>()
  return {
    name: 'tillside-every-text-translated',
    enforce: 'post',
    transform(code) {
      for (const [, id] of code.matchAll(usedText)) if (id !== undefined) used.add(id)
    },
    buildEnd() {
      for (const language of languages) {
        const catalogue = readFileSync(`src/locales/${language}.po`, 'utf8')
        const known = new Set([...catalogue.matchAll(knownText)].map(([, id]) => id))
        const missing = [...used].filter((id) => !known.has(id))
        if (missing.length > 0) {
          this.error(`src/locales/${language}.po lacks: ${missing.sort().join(', ')}`)
        }
      }
    },
  }
}
