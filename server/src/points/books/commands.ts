import { ReportInput, reportKeys } from '@tillside/contract/report'
import { type Command, Option } from 'commander'
import * as z from 'zod/mini'
import { inCompany } from '../../company/find.ts'
import { settingsOf } from '../../company/settings.ts'
import { jsonCommand, print } from '../../database/command.ts'
import { statement } from '../../database/database.ts'
import { rangeProblem, type RangeProblem, reportPoints } from './report.ts'
import { csvLines, textLines } from './table.ts'

const readDay = statement(
  `select revision, (now() at time zone time_zone)::date as today from company
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

/** `tillside points report` */
export function registerReport(points: Command): void {
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

async function report({ company, from, to, by, csv, json }: Options): Promise<void> {
  const input = parse({ from, to, by })
  const made = await inCompany(company, async (tx, id) => {
    const { revision, today } = await tx.one(readDay, [id])
    const problem = rangeProblem(input, today)
    if (problem !== null) throw new Error(sentenceOf(problem, input, today))
    return reportPoints(tx, id, input, await settingsOf(tx, { id, revision }))
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
