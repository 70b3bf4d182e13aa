import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import * as z from 'zod/mini'
import type { Plugin } from 'vite'

const prefix = 'virtual:icons/'
const IconSet = z.object({ icons: z.record(z.string(), z.object({ body: z.string() })) })
const component = join(import.meta.dirname, 'src/ui/page/Icon.tsx')

/**
 * Makes `virtual:icons/<name>` a component that draws the Phosphor icon of that name. Another
 * weight has a name of its own, such as `check-bold` and `ticket-fill`. The whole set is one JSON
 * file (decision 70).
 */
export function icons(): Plugin {
  let bodies: z.infer<typeof IconSet>['icons'] | undefined
  const read = () => {
    const file = createRequire(import.meta.url).resolve('@iconify-json/ph/icons.json')
    return IconSet.parse(JSON.parse(readFileSync(file, 'utf8'))).icons
  }
  return {
    name: 'tillside-icons',
    resolveId: (id) => (id.startsWith(prefix) ? `\0${id}` : null),
    load(id) {
      if (!id.startsWith(`\0${prefix}`)) return null
      bodies ??= read()
      const name = id.slice(prefix.length + 1)
      const body = bodies[name]?.body
      const path = body?.replaceAll(/<path fill="currentColor" d="([^"]+)"\/>/g, '$1')
      if (path === undefined || path.includes('<')) {
        this.error(`Phosphor has no icon ${name} of plain paths`)
      }
      return (
        `import { icon } from ${JSON.stringify(component)}\n` +
        `export default /* @__PURE__ */ icon(${JSON.stringify(path)})\n`
      )
    },
  }
}
