// npm run bench [part …]: runs the measurements and prints a table; each figure has a reference in
// the same run.
import { parseArgs } from 'node:util'
import { measureAudit } from './audit/measure.ts'
import { measureCalls, measureIntegration } from './calls.ts'
import { client } from './client/client.ts'
import { simulate } from './growth/simulate.ts'
import { measureImport } from './import.ts'
import { measureLong } from './long.ts'
import { measureMemory, measurePages, measureTouches } from './page/measure.ts'
import { begin, type Form, head, keepFigures, say, printFigure } from './report.ts'
import { measureReturns } from './returns/measure.ts'
import { measureScale } from './scale.ts'
import { measureStarts } from './start.ts'
import { measureStrangers } from './strangers/measure.ts'
import { measureMix } from './traffic/mix.ts'
import { measureOverload } from './traffic/overload.ts'
import { measureSoak } from './traffic/soak.ts'

const parts: Record<string, (form: Form) => Promise<void>> = {
  calls: (asked) => measureCalls(asked, options.only),
  integration: measureIntegration,
  audit: measureAudit,
  mix: measureMix,
  overload: measureOverload,
  strangers: measureStrangers,
  long: measureLong,
  scale: measureScale,
  page: measurePages,
  touch: measureTouches,
  memory: measureMemory,
  import: imports,
  start: starts,
  soak: measureSoak,
  returns: (asked) => measureReturns(asked, options.against),
  simulate,
}
/** The parts that `npm run bench` runs without arguments. */
const usual = {
  // `scale` ends with the mix, for its million members.
  normal: [
    'calls',
    'integration',
    'audit',
    'overload',
    'long',
    'scale',
    'page',
    'touch',
    'memory',
    'import',
  ],
  short: ['calls', 'mix', 'overload', 'page'],
}
const { values: options, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { short: { type: 'boolean' }, against: { type: 'string' }, only: { type: 'string' } },
})
const form = options.short === true ? 'short' : 'normal'
const unknown = wanted.find((name) => !(name in parts))
if (unknown !== undefined) {
  say(`there is no part "${unknown}"; there are ${Object.keys(parts).join(', ')}`)
  process.exit(1)
}
// On a signal, exits through process.exit, which stops the started processes.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
head(form, client)
for (const [name, part] of Object.entries(parts)) {
  if (!(wanted.length === 0 ? usual[form] : wanted).includes(name)) continue
  begin(name)
  try {
    await part(form)
  } catch (error) {
    // The run may be unattended, so the other parts still run.
    process.exitCode = 1
    say(
      `${name} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    )
  }
}
await keepFigures(form, performance.now() / 1000)

async function imports(): Promise<void> {
  const runs = await measureImport()
  if (runs === null) return say('import: skipped, ../shared/data/online-retail.csv.gz is missing')
  const { first, again } = runs
  printFigure({
    name: 'import',
    value: first.invoicesPerMinute,
    unit: 'invoices/min',
    target: 2000,
    from: { invoices: first.invoices.read, rows: first.rows.read, seconds: first.seconds },
  })
  const memory = { value: first.peakMemoryMiB, unit: 'MiB', target: 512 }
  printFigure({ name: 'import, at most', ...memory, better: 'less' })
  const { rows } = again
  const unchanged = { rows: rows.read, unchanged: rows.unchanged }
  printFigure({ name: 'import again', value: again.seconds, unit: 's', from: unchanged })
}

async function starts(): Promise<void> {
  const { coldSeconds, warmSeconds } = await measureStarts()
  printFigure({ name: 'npm start from a fresh clone', value: coldSeconds, unit: 's' })
  printFigure({ name: 'npm start again', value: warmSeconds, unit: 's', target: 3, better: 'less' })
}
