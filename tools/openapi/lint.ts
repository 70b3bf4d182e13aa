// Lints the OpenAPI document of the integration interface with two linters: no error, no warning.
// Also checks the files that are made from the document: the client's types, the collection for
// Postman and docs/calls.md; `--write` writes them.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from '../setup.mjs'
import { makeCalls } from './calls.ts'
import { makeCollection } from './collection.ts'
import { writeDocument } from './document.ts'
import { documentFile, generateTypes, installTools, runTool } from './install.ts'

installTools()
writeDocument(documentFile)
const report = runTool('redocly', ['lint', documentFile, '--extends=recommended', '--format=json'])
const { totals } = JSON.parse(report)
if (totals.errors + totals.warnings > 0) throw new Error(report)
runTool('spectral', ['lint', documentFile, '--ruleset=spectral.yaml', '--fail-severity=hint'])

const isWriting = process.argv.includes('--write')
const types = join(root, 'client/src/schema.d.ts')
const made = `${documentFile}.d.ts`
generateTypes(made)
keep(types, readFileSync(made, 'utf8'))
keep(join(root, 'docs/tillside.postman_collection.json'), makeCollection())
keep(join(root, 'docs/calls.md'), makeCalls())

/** Writes a generated file, or checks that it is current. @throws Error when it is old */
function keep(file: string, text: string): void {
  if (isWriting) return writeFileSync(file, text)
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return
  throw new Error(`${relative(root, file)} is old: npm run client:types`)
}
