// Writes every statement that the server declares to a file, as JSON: its file, line and text, and
// whether it is declared by `wholeCompany` or `lockOf`. It loads all of the server's modules, in
// which `statement` also notes its text.
import { globSync, writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = join(import.meta.dirname, '../..')
const noted = []
globalThis.noteStatement = (text) => {
  const frames = (new Error('where').stack ?? '').split('\n').slice(2)
  const at = frames.map((line) => /file:\/\/(\S+?):(\d+):\d+/.exec(line)).filter(Boolean)
  // Some statements are made by functions that several features call: the caller's file owns them.
  const own =
    at.find(
      ([, path]) =>
        !/database\/(database|invariant|lock|reads\/whole)\.ts$|placement\/collect/.test(path),
    ) ?? at[0]
  const [, file = '', line = '0'] = own ?? []
  const whole = frames.some((frame) => frame.includes(' wholeCompany '))
  const held = frames.some((frame) => frame.includes(' lockOf '))
  noted.push({ file: relative(root, file), line: Number(line), text, whole, held })
}
const declaration = 'row: z.ZodMiniType<Row>): Statement<Row> {'
registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    if (!url.endsWith('/server/src/database/database.ts')) return loaded
    const source = Buffer.from(loaded.source).toString()
    if (!source.includes(declaration)) throw new Error('`statement` is declared in another way')
    return { ...loaded, source: source.replace(declaration, `${declaration} noteStatement(text);`) }
  },
})
const skipped = /\.test\.ts$|\/(testing|faults|demo)\/|src\/(main|migrate)\.ts$|src\/cli\/main\.ts$/
const modules = globSync('server/src/**/*.ts', { cwd: root }).filter((file) => !skipped.test(file))
for (const file of modules.toSorted()) await import(pathToFileURL(join(root, file)).href)
writeFileSync(process.argv[2] ?? '', JSON.stringify(noted))
process.exit(0)
