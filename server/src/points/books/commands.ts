import { ReportInput, reportKeys } from '@tillside/contract/report'
import { type Command, Option } from 'commander'
import * as z from 'zod/mini'
import { companyNamed, inCompany } from '../../company/find.ts'
import { settingsOf } from '../../company/settings.ts'
import { actCommand, columns, jsonCommand, print, withDatabase } from '../../database/command.ts'
import { statement } from '../../database/database.ts'
import type { ActOptions } from '../../process/author.ts'
import { type ClosedMonth, closedMonths, closeMonth } from './months.ts'
import { rangeProblem, type RangeProblem, reportPoints } from './report.ts'
import { csvLines, textLines } from './table.ts'
import { todaySql } from '../../database/reads/today.ts'

const readDay = statement(
  `select revision, ${todaySql('company')} as today from company
   where company_id = $1`,
  z.object({ revision: z.int(), today: z.string() }),
)

type Options = {
  company: string
  from: string
  to: string
  by: string
  csv?: boolean
  json?: boolean
}

/** `tillside points report`, `tillside points close` and `tillside points closed` */
export function registerBooks(points: Command): void {
  actCommand(points, 'close <month>', 'Close the books of a month, such as 2026-10')
    .requiredOption('--company <identifier>', 'the company')
    .action(close)
  jsonCommand(points, 'closed', 'List the closed months')
    .requiredOption('--company <identifier>', 'the company')
    .action(async ({ company, json }: { company: string; json?: boolean }) => {
      const months = await inCompany(company, closedMonths)
      print(json, months, months.length === 0 ? [] : lines(months))
    })
  jsonCommand(points, 'report', 'Report the books: opening, each type of entry, closing')
    .requiredOption('--company <identifier>', 'the company')
    .requiredOption('--from <day>', 'first day, such as 2026-10-01')
    .requiredOption('--to <day>', 'last day, at most today')
    .addOption(
      new Option('--by <key>', 'a total only, or one for each month or store, too')
        .choices(reportKeys)
        .default('type'),
    )
    .option('--csv', 'print comma-separated values')
    .action(report)
}

async function close(month: string, options: ActOptions & { company: string }): Promise<void> {
  if (!/^(19[7-9]\d|[2-9]\d{3})-(0[1-9]|1[0-2])$/.test(month)) {
    throw new Error(`"${month}" is not a month such as 2026-10`)
  }
  const identifier = options.company.toLowerCase()
  const closed = await withDatabase(
    async ({ database }) => {
      const id = await companyNamed(database, identifier)
      return closeMonth(database, { id, identifier }, month)
    },
    { act: options },
  )
  print(options.json, closed, lines([closed]))
}

function lines(months: readonly ClosedMonth[]): string[] {
  const head = ['MONTH', 'OPENING', 'CLOSING', 'ENTRIES', 'SHA-256 OF THE ENTRIES']
  const rows = months.map((one) =>
    [one.month, one.opening, one.closing, one.entries, one.hash].map((cell) => String(cell ?? '–')),
  )
  return columns([head, ...rows])
}

async function report({ company, from, to, by, csv, json }: Options): Promise<void> {
  const input = parse({ from, to, by })
  const made = await withDatabase(async ({ database }) => {
    const id = await companyNamed(database, company)
    return database.reading(id, async (tx) => {
      const { revision, today } = await tx.one(readDay, [id])
      const problem = rangeProblem(input, today)
      if (problem !== null) throw new Error(sentenceOf(problem, input, today))
      return reportPoints(tx, id, input, await settingsOf(tx, { id, revision }))
    })
  })
  print(json, made, csv ? csvLines(made) : textLines(company.toLowerCase(), made))
  const { accounts, lots } = made.difference
  if (accounts === 0 && lots === 0) return
  throw new Error('the books differ from the ledger; run tillside doctor for details')
}

function parse(given: { from: string; to: string; by: string }): ReportInput {
  const parsed = ReportInput.safeParse(given)
  if (parsed.success) return parsed.data
  const [name] = parsed.error.issues[0]?.path ?? []
  throw new Error(`--${String(name)} must be a day such as 2026-10-01`)
}

function sentenceOf(
  { path, reason }: RangeProblem,
  { from, to }: ReportInput,
  today: string,
): string {
  if (path === 'from') return `--from ${from} is before 1970`
  if (reason === 'future') return `--to ${to} is after today, ${today}`
  if (reason === 'tooLarge') return `--from ${from} --to ${to} is more than ten years`
  return `--to ${to} is before --from ${from}`
}
