// Lints the OpenAPI document of the integration interface with two linters: no error, no warning.
import { writeDocument } from './document.ts'
import { documentFile, installTools, runTool } from './install.ts'

installTools()
writeDocument(documentFile)
const report = runTool('redocly', ['lint', documentFile, '--extends=recommended', '--format=json'])
const { totals } = JSON.parse(report)
if (totals.errors + totals.warnings > 0) throw new Error(report)
runTool('spectral', ['lint', documentFile, '--ruleset=spectral.yaml', '--fail-severity=hint'])
