// Lints the OpenAPI document of the integration interface with two linters: no error, no warning.
// Also checks that the client's types are those of the document; `--write` writes them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../setup.mjs'
import { writeDocument } from './document.ts'
import { documentFile, generateTypes, installTools, runTool } from './install.ts'

installTools()
writeDocument(documentFile)
const report = runTool('redocly', ['lint', documentFile, '--extends=recommended', '--format=json'])
const { totals } = JSON.parse(report)
if (totals.errors + totals.warnings > 0) throw new Error(report)
runTool('spectral', ['lint', documentFile, '--ruleset=spectral.yaml', '--fail-severity=hint'])

const types = join(root, 'client/src/schema.d.ts')
const made = `${documentFile}.d.ts`
generateTypes(process.argv.includes('--write') ? types : made)
if (
  !process.argv.includes('--write') &&
  readFileSync(made, 'utf8') !== readFileSync(types, 'utf8')
) {
  throw new Error('client/src/schema.d.ts is old: npm run client:types')
}
