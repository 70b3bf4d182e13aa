import { build, type Plugin, type Rolldown } from 'vite'

const scriptId = 'virtual:ahead-script'
const source = 'src/ahead/script.ts'
const contract = '@tillside/contract/'
/** The limit of the script, in bytes: it is a part of each page. */
const limit = 4 * 1024

/** Makes `virtual:ahead-script` the text of the script that each page has in its head. */
export function aheadScript(): Plugin {
  return {
    name: 'tillside-ahead-script',
    resolveId: (id) => (id === scriptId ? `\0${scriptId}` : null),
    async load(id) {
      if (id !== `\0${scriptId}`) return null
      const script = await buildScript()
      const words = `script in the page's head: ${script.length} of ${limit} bytes`
      if (script.length > limit) this.error(words)
      this.info(words)
      return `export const script = ${JSON.stringify(script)}`
    },
  }
}

async function buildScript(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    plugins: [callsOnly()],
    build: {
      target: 'es2022',
      write: false,
      rolldownOptions: { input: source, output: { format: 'iife' } },
    },
  })
  const first = [built].flat().find(isOutput)
  const code = first?.output[0].code.trim()
  if (code === undefined) throw new Error(`${source} has no output`)
  // The page's text would end the script there.
  if (/<\/script|<!--/i.test(code)) throw new Error(`${source} has an end of a script`)
  return code
}

function isOutput(built: object): built is Rolldown.RolldownOutput {
  return 'output' in built
}

/**
 * Gives the script the contract's calls without their schemas: method, path and access are what it
 * needs, and the schemas would be fifty times as large.
 */
function callsOnly(): Plugin {
  return {
    name: 'tillside-calls-only',
    enforce: 'pre',
    resolveId: (id) => (id.startsWith(contract) ? `\0${id}` : null),
    async load(id) {
      if (!id.startsWith(`\0${contract}`)) return null
      const exported: Record<string, unknown> = await import(id.slice(1))
      const lines = Object.entries(exported).flatMap(([name, value]) => {
        const kept = typeof value === 'string' ? value : lineOf(value)
        return kept === null ? [] : [`export const ${name} = ${JSON.stringify(kept)}`]
      })
      return lines.join('\n')
    },
  }
}

function lineOf(value: unknown): object | null {
  if (typeof value !== 'object' || value === null || !('path' in value)) return null
  const { method, path, access, inQuery }: Record<string, unknown> = { ...value }
  return { method, path, access, inQuery }
}
