// npm run bench [part …]: what is measured, each against something in the same run.
import { compareCalls } from './calls.ts'
import { measureImport } from './import.ts'
import { comparePages, type Visit } from './page.ts'
import { measureStarts } from './start.ts'
import { openWorld } from './world.ts'

const parts: Record<string, () => Promise<void>> = { calls, page, import: imports, start: starts }
const wanted = process.argv.slice(2)
for (const [name, part] of Object.entries(parts)) {
  if (wanted.length === 0 || wanted.includes(name)) await part()
}

async function calls(): Promise<void> {
  const world = await openWorld()
  await compareCalls(world, (row) =>
    say(
      `${row.name.padEnd(18)} ${String(row.connections).padStart(3)} connections: ` +
        `${row.product}/s of ${row.reference}/s = ${row.ratio.toFixed(2)} ` +
        `(target ${row.target}, ${verdict(row.ratio >= row.target)}), ` +
        `p99 ${row.p99Ms.toFixed(1)} ms`,
    ),
  )
  const memory = await world.productMemoryMib()
  say(`server after the load: ${memory.toFixed(0)} MiB (budget 200, ${verdict(memory <= 200)})`)
  await world.close()
}

async function page(): Promise<void> {
  const world = await openWorld()
  const pages = await comparePages(`${world.product}/bench/login`)
  await world.close()
  if (pages === null) return say('page: skipped, there is no Chromium')
  const { login, empty } = pages
  const good = login.largestPaintMs <= empty.largestPaintMs
  say(`login page:       ${sizes(login)}; largest paint ${login.largestPaintMs.toFixed(0)} ms`)
  say(`empty React page: ${sizes(empty)}; largest paint ${empty.largestPaintMs.toFixed(0)} ms`)
  say(`ratio ${(login.largestPaintMs / empty.largestPaintMs).toFixed(2)} (${verdict(good)})`)
}

async function imports(): Promise<void> {
  const runs = await measureImport()
  if (runs === null) return say('import: skipped, ../shared/data/online-retail.csv.gz is missing')
  const { first, again } = runs
  say(
    `import: ${first.invoices.read} invoices, ${first.rows.read} rows in ${first.seconds} s = ` +
      `${first.invoicesPerMinute} invoices a minute (target 2000, ` +
      `${verdict(first.invoicesPerMinute >= 2000)}), at most ${first.peakMemoryMiB} MiB ` +
      `(budget 512, ${verdict(first.peakMemoryMiB <= 512)})`,
  )
  const { rows, seconds } = again
  say(`import again: ${rows.unchanged} of ${rows.read} rows unchanged, ${seconds} s`)
}

async function starts(): Promise<void> {
  const { coldSeconds, warmSeconds } = await measureStarts()
  const again = `${warmSeconds.toFixed(1)} s again (target 3, ${verdict(warmSeconds < 3)})`
  say(`npm start: ${coldSeconds.toFixed(1)} s from a fresh clone, ${again}`)
}

function sizes({ bytes }: Visit): string {
  return Object.entries(bytes)
    .map(([kind, count]) => `${kind.toLowerCase()} ${(count / 1024).toFixed(1)} KiB`)
    .join(', ')
}

function verdict(good: boolean): string {
  return good ? 'reached' : 'MISSED'
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
