import { couponInvariants } from '../coupon/invariants.ts'
import type { Transaction } from '../database/database.ts'
import { allowWholeCompany } from '../database/reads/whole.ts'
import { type Invariant, invariant, type Violation } from '../database/invariant.ts'
import { mergeComparisons } from '../merge/invariants.ts'
import { pointInvariants, saleComparisons } from '../points/invariants.ts'
import { receiptInvariants } from '../transaction/invariants.ts'
import { answerComparisons } from './answers.ts'
import { auditComparisons } from './audited.ts'
import { compare } from './compare.ts'
import type { Job } from './job.ts'

/**
 * I7: a referenced row exists in the same company. Most references are foreign keys that include
 * the company; these are the others.
 */
function references(table: string, column: string, target: string): Invariant {
  const key = column === 'issued_by' ? 'staff_id' : column
  // A member's entries and spend are of the member's own receipts.
  const place = target === 'transaction' ? 'and x.place = t.member_id' : ''
  return invariant(
    'I7',
    `select t.member_id, format('${table} refers to ${target} %s, which is missing', t.${column})
       as found
     from ${table} t left join ${target} x
       on x.company_id = $1 and x.${key} = t.${column} ${place}
     where t.company_id = $1 and t.${column} is not null and x.${key} is null`,
  )
}

const referenceInvariants = {
  entryTransaction: references('point_entry', 'transaction_id', 'transaction'),
  entryStaff: references('point_entry', 'staff_id', 'staff'),
  entryStore: references('point_entry', 'store_code', 'store'),
  spendTransaction: references('qualifying_spend', 'transaction_id', 'transaction'),
  couponStaff: references('coupon', 'issued_by', 'staff'),
  redemptionStaff: references('coupon_redemption', 'staff_id', 'staff'),
  auditStaff: references('audit', 'staff_id', 'staff'),
  /** I7: the same of audit rows, which their member places; one without a member, its own id. */
  auditMember: invariant(
    'I7',
    `select t.member_id, format(case when t.place <> coalesce(t.member_id, t.audit_id)
       then 'audit row %2$s has another place'
       else 'audit refers to member %1$s, which is missing' end, t.member_id, t.audit_id) as found
     from audit t left join member x on x.company_id = $1 and x.member_id = t.place
     where t.company_id = $1 and (t.member_id is not null and x.member_id is null
       or t.place <> coalesce(t.member_id, t.audit_id))`,
  ),
  /** I7: every member has a points account and a tier. */
  memberWhole: invariant(
    'I7',
    `select m.member_id, 'no account or no tier' as found
     from member m
     left join point_account a on a.company_id = $1 and a.member_id = m.member_id
     left join member_tier t on t.company_id = $1 and t.member_id = m.member_id
     where m.company_id = $1 and (a.member_id is null or t.member_id is null)`,
  ),
}

const ledgers = [
  'audit',
  'consent',
  'point_burn',
  'point_entry',
  'point_forgiven',
  'point_month',
  'point_month_figures',
  'point_return',
  'qualifying_spend',
]

const roleInvariants = {
  /** I6: the program's role can neither update nor delete rows of append-only tables. */
  appendOnly: invariant(
    'I6',
    `select null::uuid as member_id, format('the program may %s %s', verb, kept) as found
     from unnest('{${ledgers.join(',')}}'::text[]) kept,
       unnest('{update,delete,truncate}'::text[]) verb
     where $1::uuid is not null and (has_table_privilege(kept, verb)
       or (verb = 'update' and has_any_column_privilege(kept, verb)))`,
  ),
}

const all = Object.entries({
  ...pointInvariants,
  ...couponInvariants,
  ...receiptInvariants,
  ...referenceInvariants,
  ...roleInvariants,
})
/** The rules that compare two groups of tables, by name. */
export const comparisons = Object.entries({
  ...mergeComparisons,
  ...answerComparisons,
  ...auditComparisons,
  ...saleComparisons,
})

/** One violation: its rule and invariant, the member if there is one, and a description. */
export type Finding = { rule: string; invariant: string; memberId: string | null; found: string }

/** Checks all invariants of one company. */
export async function findViolations(tx: Transaction, companyId: string): Promise<Finding[]> {
  const [, ...joined] = await Promise.all([
    allowWholeCompany(tx),
    ...all.map(async ([name, query]) => {
      return findingsOf(query.rule, name, await tx.all(query, [companyId]))
    }),
  ])
  const findings = joined.flat()
  for (const [name, comparison] of comparisons) {
    const violations = await compare(tx, companyId, comparison)
    findings.push(...findingsOf(comparison.rule, name, violations))
  }
  return findings
}

function findingsOf(rule: string, name: string, violations: readonly Violation[]): Finding[] {
  return violations.map(({ member_id: memberId, found }) => {
    return { rule, invariant: name, memberId, found }
  })
}

/** The number of invariants. */
export const invariantCount = all.length + comparisons.length

/** Runs every night and logs each violation as an error. */
export const invariantsJob: Job = {
  name: 'invariants',
  everyMinutes: 24 * 60,
  async batch(tx, company, log) {
    const findings = await findViolations(tx, company.id)
    for (const finding of findings.slice(0, 20)) log.error({ ...finding }, 'invariant violated')
    return { done: findings.length, left: false }
  },
}
