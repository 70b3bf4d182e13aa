// Builds dist/: JavaScript without types, and declarations next to it.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { isolatedDeclarationSync } from 'rolldown/experimental'

const [from, to] = ['src', 'dist'].map((folder) => join(import.meta.dirname, folder))
rmSync(to, { recursive: true, force: true })
mkdirSync(to)
for (const name of readdirSync(from)) {
  const file = join(from, name)
  if (name.endsWith('.test.ts')) continue
  if (name.endsWith('.d.ts')) {
    copyFileSync(file, join(to, name))
    continue
  }
  const source = readFileSync(file, 'utf8')
  const { code, errors } = isolatedDeclarationSync(file, source)
  if (errors.length > 0) throw new Error(JSON.stringify(errors))
  const base = name.replace(/\.ts$/, '')
  writeFileSync(join(to, `${base}.js`), linked(stripTypeScriptTypes(source)))
  writeFileSync(join(to, `${base}.d.ts`), linked(code))
}

/** Imports of the built files; declarations of types keep their name. */
function linked(code) {
  return code.replaceAll(/(from ')(\.\/[\w-]+)\.ts(')/g, '$1$2.js$3')
}
