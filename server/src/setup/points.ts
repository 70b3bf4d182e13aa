import { pointTypes } from '@tillside/contract/wire/codes'
import { text, wholeNumber } from '@tillside/contract/wire/shapes'
import { type Command, Option } from 'commander'
import * as z from 'zod/mini'
import { inCompany } from '../company/find.ts'
import { settingsOf } from '../company/settings.ts'
import { writeAudit } from '../database/audit.ts'
import { actCommand, print } from '../database/command.ts'
import { statement, type Transaction } from '../database/database.ts'
import { findMemberId } from '../member/look-up.ts'
import type { ActOptions } from '../process/author.ts'
import { adjust, adjustmentTypes } from '../points/adjust.ts'
import { registerBooks } from '../points/books/commands.ts'
import { lockAccount, noOrigin } from '../points/ledger.ts'
import { nowSql, todaySql } from '../database/reads/today.ts'

const readDay = statement(
  `select revision, ${nowSql('company')} as now, ${todaySql('company')} as today from company
   where company_id = $1`,
  z.object({ revision: z.int(), now: z.string(), today: z.string() }),
)

type Options = ActOptions & {
  company: string
  member: string
  points: string
  type: string
  reason: string
}

/** The options, validated. */
const Adjustment = z.object({
  points: wholeNumber(1, 1_000_000_000),
  type: z.enum(adjustmentTypes),
  reason: text(200),
})
type Adjustment = z.infer<typeof Adjustment>

/** `tillside points …` */
export function registerPoints(program: Command): void {
  const points = program
    .command('points')
    .description('Adjust points of members, and report the books')
  const does = 'Add a correcting entry to a member’s points; the history shows the reason'
  actCommand(points, 'adjust', does, true)
    .requiredOption('--company <identifier>', 'the company of the member')
    .requiredOption('--member <code>', 'the member code')
    .requiredOption(
      '--points <number>',
      'number of points; the type decides whether they are added or deducted',
    )
    .addOption(new Option('--type <type>').choices(adjustmentTypes).makeOptionMandatory())
    .action(run)
  registerBooks(points)
}

async function run(options: Options): Promise<void> {
  const adjustment = parse(options)
  const result = await inCompany(
    options.company,
    (tx, id) => adjustMember(tx, id, options.member, adjustment),
    options,
  )
  const { points, balance } = result
  print(options.json, result, [`${options.member}: ${points} points, the balance is ${balance}`])
}

function parse({ points, type, reason }: Options): Adjustment {
  const parsed = Adjustment.safeParse({ points, type, reason })
  if (parsed.success) return parsed.data
  const [name] = parsed.error.issues[0]?.path ?? []
  throw new Error(
    name === 'points'
      ? '--points must be a whole number from 1 to 1000000000'
      : `--${String(name)} must be a text of at most 200 characters`,
  )
}

async function adjustMember(
  tx: Transaction,
  companyId: string,
  memberCode: string,
  adjustment: Adjustment,
) {
  const [{ revision, now, today }, memberId] = await Promise.all([
    tx.one(readDay, [companyId]),
    findMemberId(tx, companyId, memberCode),
  ])
  if (memberId === null) throw new Error(`there is no member "${memberCode}"`)
  const [{ points: rules }, account] = await Promise.all([
    settingsOf(tx, { id: companyId, revision }),
    lockAccount(tx, companyId, memberId),
  ])
  const { type, points, reason } = adjustment
  const origin = { at: now, ...noOrigin, description: reason }
  const result = await adjust(account, { type, points, day: today, origin }, rules)
  if (result.outcome === 'refused') {
    throw new Error(`${memberCode} has fewer than ${points} spendable points`)
  }
  const { id: entryId, balanceAfter: balance } = result.entry
  const actor = { company: { id: companyId }, staff: null, store: null }
  const details = { type, points, reason, entryId }
  writeAudit(tx, actor, 'command', { action: 'points.adjust', memberId, details })
  return { memberCode, entryId, type, points: points * pointTypes[type].sign, balance }
}
