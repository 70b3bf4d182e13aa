import * as z from 'zod/mini'
import type { Transaction } from '../../database/database.ts'
import { wholeCompany } from '../../database/reads/whole.ts'
import { NewMember } from '../../member/create.ts'
import { createMembers } from '../../register/create.ts'
import { codeKey } from '../../member/key.ts'
import { firstProblem } from '../../text/invalid.ts'
import type { Customer } from './mapping.ts'

const findIds = wholeCompany(
  `select value, member_id from member_key
   where company_id = $1 and kind = 'code' and value = any ($2::text[])`,
  z.object({ value: z.string(), member_id: z.string() }),
)

export type Members = {
  /** Member ids by the key of the member code. */
  ids: ReadonlyMap<string, string>
  made: ReadonlySet<string>
  /** Why a member could not be created, by the key of the member code. */
  problems: ReadonlyMap<string, string>
}

/**
 * Finds the members of these customers and creates the missing ones. A new member's registration
 * date is the day of the first receipt.
 * @param customers in order of time
 * @param known ids found for earlier batches, by the key of the member code
 */
export async function membersOf(
  tx: Transaction,
  company: { id: string },
  customers: readonly { customer: Customer; day: string }[],
  known: ReadonlyMap<string, string>,
): Promise<Members> {
  const first = new Map<string, { customer: Customer; day: string }>()
  for (const one of customers) {
    const key = codeKey(one.customer.memberCode)
    if (!first.has(key)) first.set(key, one)
  }
  const ids = new Map<string, string>()
  for (const key of first.keys()) {
    const id = known.get(key)
    if (id !== undefined) ids.set(key, id)
  }
  const asked = [...first.keys()].filter((key) => !ids.has(key))
  if (asked.length > 0) {
    for (const row of await tx.all(findIds, [company.id, asked])) ids.set(row.value, row.member_id)
  }
  const problems = new Map<string, string>()
  const wanted = new Map<string, NewMember>()
  for (const key of asked) {
    const one = first.get(key)
    if (ids.has(key) || one === undefined) continue
    const { country, ...names } = one.customer
    const fields = { ...names, address: { country }, registrationDate: one.day }
    const member = NewMember.safeParse(fields)
    if (member.success) {
      wanted.set(key, member.data)
    } else {
      problems.set(key, `member: ${firstProblem(member.error.issues, fields)}`)
    }
  }
  if (wanted.size > 0) {
    const created = await createMembers(tx, company, [...wanted.values()])
    for (const [index, key] of [...wanted.keys()].entries()) ids.set(key, created[index] ?? '')
  }
  return { ids, made: new Set(wanted.keys()), problems }
}
