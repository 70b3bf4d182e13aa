// Builds dist/: JavaScript without types, and declarations next to it.
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { isolatedDeclarationSync } from 'rolldown/experimental'

const [from, to] = ['src', 'dist'].map((folder) => join(import.meta.dirname, folder))
mkdirSync(to, { recursive: true })
for (const name of readdirSync(from)) {
  const file = join(from, name)
  if (name.endsWith('.test.ts')) continue
  if (name.endsWith('.d.ts')) {
    write(name, readFileSync(file, 'utf8'))
    continue
  }
  const source = readFileSync(file, 'utf8')
  const { code, errors } = isolatedDeclarationSync(file, source)
  if (errors.length > 0) throw new Error(JSON.stringify(errors))
  const base = name.replace(/\.ts$/, '')
  write(`${base}.js`, linked(stripTypeScriptTypes(source)))
  write(`${base}.d.ts`, linked(code))
}

/** Writes a file at once, so that another process that builds or reads it sees it whole. */
function write(name, text) {
  const draft = join(to, `${name}.${process.pid}`)
  writeFileSync(draft, text)
  renameSync(draft, join(to, name))
}

/** Imports of the built files; declarations of types keep their name. */
function linked(code) {
  return code.replaceAll(/(from ')(\.\/[\w-]+)\.ts(')/g, '$1$2.js$3')
}
