import { basename, resolve } from 'node:path'
import type { Command } from 'commander'
import { actCommand, print, withDatabase } from '../database/command.ts'
import type { ActOptions } from '../process/author.ts'
import { progressBar, rejectedRows } from '../values/import-report.ts'
import { importTransactions, type ImportSummary } from './import/import.ts'
import { readMapping } from './import/mapping.ts'
import { counted } from '../text/counted.ts'

type Options = ActOptions & { company: string; mapping: string; rejected?: string }

/** `tillside transaction …` */
export function registerTransactions(program: Command): void {
  const transaction = program.command('transaction').description('Import sales and returns')
  const does = 'Import receipts from a CSV file, gzipped or not'
  actCommand(transaction, 'import <file>', does, true)
    .requiredOption('--company <identifier>', 'the company of the receipts')
    .requiredOption('--mapping <file>', 'YAML file that maps the columns')
    .option(
      '--rejected <file>',
      'file for rejected rows (default: <file>.rejected.csv in this folder)',
    )
    .action(run)
}

async function run(file: string, options: Options): Promise<void> {
  const mapping = await readMapping(resolve(options.mapping))
  const rejectedFile = resolve(options.rejected ?? `${basename(file)}.rejected.csv`)
  const rejects = rejectedRows(rejectedFile, ['line', 'invoiceNumber', 'reason'])
  const bar = progressBar()
  const began = performance.now()
  try {
    const summary = await withDatabase(
      ({ database }) =>
        importTransactions(database, options.company.toLowerCase(), resolve(file), mapping, {
          reject: (row) => rejects.write([row.line, row.invoiceNumber, row.reason]),
          progress: (phase, done) => bar.show(phase, done),
        }),
      { act: options },
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
    if (missed > 0)
      throw new Error(
        `${counted(missed, 'row was', 'rows were')} not imported; see ${rejectedFile}`,
      )
  } finally {
    bar.stop()
    await rejects.close()
  }
}

function linesOf({ rows, invoices, created }: ImportSummary): string[] {
  return [
    `${counted(rows.read, 'row')}: ${parts(rows)}`,
    `${counted(invoices.read, 'invoice')}: ${parts(invoices)}`,
    `created: ${counted(created.sales, 'sale')}, ${counted(created.returns, 'return')}, ` +
      `of which ${created.withoutMember} without a member; ${counted(created.members, 'member')}`,
  ]
}

function parts(of: Record<string, number>): string {
  return Object.entries(of)
    .filter(([name]) => name !== 'read')
    .map(([name, count]) => `${count} ${name}`)
    .join(', ')
}
