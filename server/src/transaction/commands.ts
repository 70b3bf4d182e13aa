import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'
import { basename, resolve } from 'node:path'
import { finished } from 'node:stream/promises'
import { Presets, SingleBar } from 'cli-progress'
import type { Command } from 'commander'
import { jsonCommand, print, withDatabase } from '../kit/command.ts'
import { importTransactions, type ImportSummary } from './import.ts'
import { readMapping } from './import-mapping.ts'
import type { Rejected } from './import-staging.ts'

type Options = { company: string; mapping: string; rejected?: string; json?: boolean }

/** `tillside transaction …` */
export function registerTransactions(program: Command): void {
  const transaction = program.command('transaction').description('sales and returns')
  jsonCommand(transaction, 'import <file>', 'bring in receipts from a CSV file, gzipped or not')
    .requiredOption('--company <identifier>', 'whose receipts they are')
    .requiredOption('--mapping <file>', 'which column is what, as YAML')
    .option('--rejected <file>', 'where rows go that were not recorded (default: beside you)')
    .action(run)
}

async function run(file: string, options: Options): Promise<void> {
  const mapping = await readMapping(resolve(options.mapping))
  const rejectedFile = resolve(options.rejected ?? `${basename(file)}.rejected.csv`)
  const rejects = rejectsTo(rejectedFile)
  const bar = progressBar()
  const began = performance.now()
  try {
    const summary = await withDatabase(({ database }) =>
      importTransactions(database, options.company.toLowerCase(), resolve(file), mapping, {
        reject: (row) => rejects.write(row),
        progress: (phase, done) => bar.show(phase, done),
      }),
    )
    bar.stop()
    const seconds = (performance.now() - began) / 1000
    const figures = {
      seconds: Math.round(seconds * 10) / 10,
      invoicesPerMinute: Math.round((summary.invoices.read / seconds) * 60),
      peakMemoryMiB: Math.round(process.resourceUsage().maxRSS / 1024),
    }
    const missed = summary.rows.changed + summary.rows.rejected
    print(
      options.json,
      { ...summary, ...figures, rejectedFile: missed === 0 ? null : rejectedFile },
      [
        ...linesOf(summary),
        `${figures.seconds} s, ${figures.invoicesPerMinute} invoices a minute, ` +
          `at most ${figures.peakMemoryMiB} MiB`,
      ],
    )
    if (missed > 0) throw new Error(`${missed} rows were not recorded; ${rejectedFile} says why`)
  } finally {
    bar.stop()
    await rejects.close()
  }
}

function linesOf({ rows, invoices, created }: ImportSummary): string[] {
  return [
    `${rows.read} rows: ${parts(rows)}`,
    `${invoices.read} invoices: ${parts(invoices)}`,
    `created: ${created.sales} sales, ${created.returns} returns, ` +
      `of which ${created.withoutMember} without a member; ${created.members} members`,
  ]
}

function parts(of: Record<string, number>): string {
  return Object.entries(of)
    .filter(([name]) => name !== 'read')
    .map(([name, count]) => `${count} ${name}`)
    .join(', ')
}

/** The file is made when the first row goes there. */
function rejectsTo(file: string) {
  let stream: WriteStream | null = null
  return {
    async write({ line, invoiceNumber, reason }: Rejected): Promise<void> {
      if (stream === null) {
        stream = createWriteStream(file)
        stream.write('line,invoiceNumber,reason\n')
      }
      const cells = [String(line), invoiceNumber, reason].map(quoted)
      const target = stream
      if (!target.write(`${cells.join(',')}\n`)) {
        await once(target, 'drain')
      }
    },
    async close(): Promise<void> {
      if (stream === null) return
      stream.end()
      await finished(stream)
    },
  }
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

/** A bar for people: only when the output is a terminal. */
function progressBar() {
  const bar = process.stdout.isTTY
    ? new SingleBar(
        { format: '{phase} [{bar}] {percentage} %', clearOnComplete: true },
        Presets.rect,
      )
    : null
  let started = false
  return {
    show(phase: 'reading' | 'recording', done: number): void {
      if (bar === null) return
      if (!started) bar.start(100, 0, { phase })
      started = true
      bar.update(Math.floor(done * 100), { phase: phase.padEnd(9) })
    },
    stop(): void {
      if (started) bar?.stop()
      started = false
    },
  }
}
