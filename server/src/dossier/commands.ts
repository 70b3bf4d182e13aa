import { basename, resolve } from 'node:path'
import type { Command } from 'commander'
import * as z from 'zod/mini'
import { companyNamed, inCompany } from '../company/find.ts'
import { writeAudit } from '../database/audit.ts'
import { actCommand, print, withDatabase } from '../database/command.ts'
import { emailKey, mobileKey } from '../values/contact.ts'
import { statement, type Transaction } from '../database/database.ts'
import type { ActOptions } from '../process/author.ts'
import { confirmOnTerminal } from '../process/terminal.ts'
import { progressBar, rejectedRows } from '../values/import-report.ts'
import { registerMerges } from '../merge/commands.ts'
import { codeKey } from '../member/key.ts'
import { findIdByKey, findMemberId, type Key } from '../member/look-up.ts'
import { erase, type ErasurePlan, planErasure } from './erase.ts'
import { exportMember } from './export.ts'
import { importMembers } from './import.ts'
import { readMemberMapping } from './import-mapping.ts'
import { counted } from '../text/counted.ts'

const readFound = statement(
  `select m.member_id, m.member_code, m.card_number, m.uni_customer_no,
     m.first_name, m.last_name,
     m.country_code, m.mobile, m.email, m.registration_date, mt.tier_code
   from member m join member_tier mt on mt.company_id = $1 and mt.member_id = $2
   where m.company_id = $1 and m.member_id = $2`,
  z.object({
    member_id: z.string(),
    member_code: z.string(),
    card_number: z.string(),
    uni_customer_no: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    country_code: z.nullable(z.string()),
    mobile: z.nullable(z.string()),
    email: z.nullable(z.string()),
    registration_date: z.string(),
    tier_code: z.string(),
  }),
)

/**
 * Finds members by any kind of key: code, card number, customer number, e-mail or +mobile, one
 * index probe each. Each member found is written to the audit log.
 */
async function findMembers(tx: Transaction, companyId: string, text: string) {
  const international = /^\+([1-9]\d*)$/.exec(text.replaceAll(/[\s().-]/g, ''))
  const code = () => codeKey(text)
  const keys: Key[] = [
    { kind: 'code', value: code },
    { kind: 'card', value: code },
    { kind: 'uni', value: code },
    { kind: 'email', value: () => emailKey(text) },
  ]
  const number = international?.[1]
  if (number !== undefined) keys.push({ kind: 'mobile', value: () => mobileKey(number, '') })
  const found = await Promise.all(keys.map((key) => findIdByKey(tx, companyId, key)))
  const ids = new Set(found.filter((id) => id !== null))
  const read = [...ids].map(async (memberId) => tx.one(readFound, [companyId, memberId]))
  const rows = (await Promise.all(read)).toSorted((a, b) =>
    a.member_code < b.member_code ? -1 : 1,
  )
  const actor = { company: { id: companyId }, staff: null, store: null }
  for (const { member_id: memberId } of rows) {
    writeAudit(tx, actor, 'command', { action: 'member.find', memberId, details: {} })
  }
  return rows.map((row) => ({
    memberCode: row.member_code,
    cardNumber: row.card_number,
    uniCustomerNo: row.uni_customer_no,
    firstName: row.first_name,
    lastName: row.last_name,
    mobile: row.mobile === null ? null : `+${row.country_code} ${row.mobile}`,
    email: row.email,
    registrationDate: row.registration_date,
    tier: row.tier_code,
  }))
}

/** Every one shows, changes or erases personal data, so it needs a reason. */
type Options = ActOptions & { reason: string }
type Import = Options & { company: string; mapping: string; rejected?: string }

/** `tillside member …` */
export function registerMembers(program: Command): void {
  const member = program
    .command('member')
    .description('Find, import, export, merge and erase members')
  const act = (usage: string, does: string) => actCommand(member, usage, does, true)
  act(
    'find <company> <text>',
    'Find a member by code, card number, customer number, e-mail or +mobile',
  ).action(find)
  act('export <company> <memberCode>', 'Export all data of one member as JSON').action(exportAll)
  act(
    'erase <company> <memberCode>',
    'Erase the personal data of a member; amounts and consents stay. Cannot be undone',
  )
    .option('--yes', 'do not ask')
    .action(runErase)
  act('import <file>', 'Import members from a CSV file, gzipped or not')
    .requiredOption('--company <identifier>', 'the company of the members')
    .requiredOption('--mapping <file>', 'YAML file that maps the columns')
    .option(
      '--rejected <file>',
      'file for rejected rows (default: <file>.rejected.csv in this folder)',
    )
    .action(runImport)
  registerMerges(member)
}

async function find(identifier: string, text: string, options: Options): Promise<void> {
  const found = await inCompany(identifier, (tx, id) => findMembers(tx, id, text), options)
  if (found.length === 0) throw new Error(`${identifier} has no member "${text}"`)
  const lines = found.flatMap((m) =>
    Object.entries(m).map(([name, value]) => `${name.padEnd(16)}  ${value ?? '-'}`),
  )
  print(options.json, found, lines)
}

async function exportAll(identifier: string, memberCode: string, options: Options): Promise<void> {
  const work = async (tx: Transaction, id: string) => {
    const memberId = await findMemberId(tx, id, memberCode)
    return memberId === null ? null : exportMember(tx, { id }, memberId)
  }
  const dossier = await inCompany(identifier, work, options)
  if (dossier === null) throw new Error(`${identifier} has no member "${memberCode}"`)
  print(true, { company: identifier, memberCode, exportedAt: new Date(), ...dossier }, [])
}

async function runErase(
  identifier: string,
  memberCode: string,
  options: Options & { yes?: boolean },
): Promise<void> {
  const plan = await inCompany(identifier, (tx, id) =>
    planErasure(tx, { id }, memberCode, options.reason),
  )
  if (plan !== null) {
    process.stderr.write(`${describePlan(identifier, memberCode, plan).join('\n')}\n`)
    if (options.yes !== true && !(await confirmOnTerminal('Erase it for good?'))) {
      throw new Error('Nothing was erased. Add --yes to erase without a question.')
    }
  }
  const erasure = await withDatabase(
    async ({ database }) => {
      const id = await companyNamed(database, identifier)
      return database.transaction(id, (tx) => erase(tx, { id }, memberCode))
    },
    { act: options, asOwner: true },
  )
  if (erasure.outcome === 'unknown') throw new Error(`${identifier} has no member "${memberCode}"`)
  const line =
    erasure.outcome === 'erased'
      ? `${memberCode} is erased; receipts, points and coupons keep their amounts`
      : `${memberCode} was erased already, at ${erasure.at}`
  print(options.json, erasure, [line])
}

function describePlan(identifier: string, memberCode: string, plan: ErasurePlan): string[] {
  return [
    `Erasing member ${memberCode} of ${identifier} removes:`,
    ...plan.removed.map((line) => `  ${line}`),
    `It keeps, without a name: ${plan.kept.join(', ') || 'nothing'}`,
  ]
}

async function runImport(file: string, options: Import): Promise<void> {
  const mapping = await readMemberMapping(resolve(options.mapping))
  const rejectedFile = resolve(options.rejected ?? `${basename(file)}.rejected.csv`)
  const rejects = rejectedRows(rejectedFile, ['line', 'memberCode', 'reason'])
  const bar = progressBar()
  const began = performance.now()
  try {
    const summary = await withDatabase(
      ({ database }) =>
        importMembers(database, options.company.toLowerCase(), resolve(file), mapping, {
          reject: (row) => rejects.write([row.line, row.memberCode, row.reason]),
          progress: (done) => bar.show('recording', done),
        }),
      { act: options },
    )
    bar.stop()
    const seconds = (performance.now() - began) / 1000
    const figures = {
      seconds: Math.round(seconds * 10) / 10,
      membersPerMinute: Math.round((summary.read / seconds) * 60),
      peakMemoryMiB: Math.round(process.resourceUsage().maxRSS / 1024),
    }
    const { read, created, unchanged, changed, rejected } = summary
    const missed = changed + rejected
    const result = { ...summary, ...figures, rejectedFile: missed === 0 ? null : rejectedFile }
    print(options.json, result, [
      `${counted(read, 'row')}: ${created} created, ${unchanged} unchanged, ${changed} changed, ` +
        `${rejected} rejected`,
      `${figures.seconds} s, ${figures.membersPerMinute} members a minute, ` +
        `at most ${figures.peakMemoryMiB} MiB`,
    ])
    if (missed > 0)
      throw new Error(
        `${counted(missed, 'row was', 'rows were')} not imported; see ${rejectedFile}`,
      )
  } finally {
    bar.stop()
    await rejects.close()
  }
}
