import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const folder = join(import.meta.dirname, '../docs/manual')
const prefix = 'virtual:manual/'

/**
 * Provides `virtual:manual/zh-HK`: the manual in one language, with the text of each page and the
 * address of each picture. Its files are in `docs/manual`, where they can also be read directly.
 */
export function manual(): Plugin {
  return {
    name: 'tillside-manual',
    resolveId: (id) => (id.startsWith(prefix) ? `\0${id}` : null),
    load(id) {
      if (!id.startsWith(`\0${prefix}`)) return null
      const home = join(folder, id.slice(prefix.length + 1))
      const names = readdirSync(home).sort()
      const pages = names.filter((name) => name.endsWith('.md'))
      const pictures = names.filter((name) => name.endsWith('.webp'))
      const texts = pages.map((name) => [name, readFileSync(join(home, name), 'utf8')])
      for (const name of pages) this.addWatchFile(join(home, name))
      const addresses = pictures.map((name, n) => `${JSON.stringify(name)}: p${n}`)
      return [
        ...pictures.map((name, n) => `import p${n} from ${JSON.stringify(join(home, name))}`),
        `export const pages = ${JSON.stringify(Object.fromEntries(texts))}`,
        `export const pictures = { ${addresses.join(', ')} }`,
      ].join('\n')
    },
  }
}
