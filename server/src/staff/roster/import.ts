import * as z from 'zod/mini'
import { statement, type Transaction } from '../../database/database.ts'
import { openCsv } from '../../values/csv.ts'
import { addStaff, listStaff } from '../accounts.ts'
import { hashPassword } from '../password.ts'
import { contextNames } from '../passwords/problem.ts'
import { namesProblem } from './names.ts'
import { describePasswordProblem, makePassword } from './new-password.ts'

/** The columns of the file, in any order; `password` may be missing or empty. */
const columns = ['account', 'firstName', 'lastName', 'store', 'group', 'password'] as const
const maxRows = 2_000

const readCodes = statement(
  `select 'store' as what, store_code as code from store where company_id = $1
   union all select 'group', group_code from staff_group where company_id = $1`,
  z.object({ what: z.enum(['store', 'group']), code: z.string() }),
)

/** One row of the file; `line` is the line on which it ends, the header being line 1. */
export type StaffRow = { line: number; cells: Record<(typeof columns)[number], string> }

/** The accounts that were added; `password` is null where the file has it. */
export type StaffImport = {
  added: { account: string; password: string | null }[]
  unchanged: number
}

/**
 * Reads a CSV file of accounts.
 * @throws Error when it cannot be read, lacks a column or has a row of another length
 */
export async function readStaffFile(file: string): Promise<StaffRow[]> {
  const opened = await openCsv(file, { delimiter: ',', encoding: 'utf8' })
  const missing = columns.slice(0, -1).filter((name) => !opened.header.includes(name))
  if (missing.length > 0) throw new Error(`the file has no column ${missing.join(', ')}`)
  const places = columns.map((name) => opened.header.indexOf(name))
  const rows: StaffRow[] = []
  const refused: string[] = []
  for await (const pack of opened.packs(maxRows)) {
    for (const { line, cells, problem } of pack) {
      if (cells === null) refused.push(`line ${line}: ${problem ?? 'cannot be read'}`)
      const [account = '', firstName = '', lastName = '', store = '', group = '', password = ''] =
        places.map((place) => (cells?.[place] ?? '').trim())
      rows.push({ line, cells: { account, firstName, lastName, store, group, password } })
    }
    if (rows.length > maxRows) throw new Error(`the file has more than ${maxRows} rows`)
  }
  if (rows.length === 0) throw new Error('the file has no rows')
  refuse(refused)
  return rows
}

/**
 * Adds all accounts of a file or none. A row that agrees with an existing account changes nothing,
 * so a file can be imported again.
 * @throws Error that names each refused line
 */
export async function importStaff(
  tx: Transaction,
  companyId: string,
  rows: readonly StaffRow[],
): Promise<StaffImport> {
  const [codes, existing, context] = await Promise.all([
    tx.all(readCodes, [companyId]),
    listStaff(tx, companyId),
    contextNames(tx, companyId),
  ])
  const known = new Map(existing.map((staff) => [staff.account.toLowerCase(), staff]))
  const seen = new Map<string, number>()
  const added: StaffRow[] = []
  const refused: string[] = []
  for (const row of rows) {
    const { line, cells } = row
    const key = cells.account.toLowerCase()
    const first = seen.get(key)
    const staff = known.get(key)
    const problem =
      first === undefined
        ? problemOf(cells, codes, context)
        : `the same account as in line ${first}`
    seen.set(key, first ?? line)
    if (problem !== null) refused.push(`line ${line}: ${problem}`)
    else if (staff === undefined) added.push(row)
    else if (!agrees(cells, staff)) {
      refused.push(`line ${line}: the account "${cells.account}" exists already with other data`)
    }
  }
  refuse(refused)
  const passwords = await addAll(tx, companyId, added)
  return { added: passwords, unchanged: rows.length - added.length }
}

function addAll(tx: Transaction, companyId: string, rows: readonly StaffRow[]) {
  return Promise.all(
    rows.map(async ({ cells }) => {
      const { account, firstName, lastName, store: storeCode, group: groupCode } = cells
      const made = cells.password === '' ? makePassword() : null
      const passwordHash = await hashPassword(made ?? cells.password)
      const names = { account, firstName, lastName }
      await addStaff(tx, companyId, { ...names, groupCode, storeCode, passwordHash })
      return { account, password: made }
    }),
  )
}

function problemOf(
  { account, firstName, lastName, store, group, password }: StaffRow['cells'],
  codes: readonly { what: 'store' | 'group'; code: string }[],
  context: readonly string[],
): string | null {
  const names = namesProblem(account, [firstName, lastName])
  if (names !== null) return names
  if (firstName === '' || lastName === '') return 'first name and last name are needed'
  for (const [what, wanted] of [
    ['store', store],
    ['group', group],
  ] as const) {
    const exists = codes.some((one) => one.what === what && one.code === wanted)
    if (!exists) return `there is no ${what} "${wanted}"`
  }
  if (password === '') return null
  return describePasswordProblem(password, [...context, account, firstName, lastName])
}

type Staff = Awaited<ReturnType<typeof listStaff>>[number]

function agrees({ firstName, lastName, store, group }: StaffRow['cells'], staff: Staff): boolean {
  return (
    staff.first_name === firstName &&
    staff.last_name === lastName &&
    staff.store_code === store &&
    staff.group_code === group
  )
}

function refuse(lines: readonly string[]): void {
  if (lines.length === 0) return
  throw new Error([...lines, 'Nothing was imported.'].join('\n'))
}
