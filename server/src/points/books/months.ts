import { addDays, addMonths, endOfMonth } from '@tillside/contract/rules/day'
import * as z from 'zod/mini'
import { writersToEnd } from '../../cluster/each-node.ts'
import { settingsOf } from '../../company/settings.ts'
import { writeAudit } from '../../database/audit.ts'
import {
  type Database,
  sqlState,
  type Statement,
  statement,
  type Transaction,
} from '../../database/database.ts'
import { todaySql } from '../../database/reads/today.ts'
import { allowWholeCompany, wholeCompany } from '../../database/reads/whole.ts'
import { dayOf } from './figures.ts'
import { hasExpired } from '../lots.ts'
import { Outdated } from '../../values/outdated.ts'
import { reportPoints } from './report.ts'

// Separate statements: on a cluster, small tables and a member's rows are in different places.
const readToday = statement(
  `select revision, ${todaySql('company')} as today from company where company_id = $1`,
  z.object({ revision: z.int(), today: z.string() }),
)
const readClosed = statement(
  `select min(m.month) as first, max(m.month) as last,
     count(f.month) filter (where f.month = $2) > 0 as stored
   from point_month m left join point_month_figures f using (company_id, month)
   where m.company_id = $1`,
  z.object({ first: z.nullable(z.string()), last: z.nullable(z.string()), stored: z.boolean() }),
)
const readBegan = wholeCompany(
  `select min(${dayOf('$1')}) as began from point_entry where company_id = $1`,
  z.object({ began: z.nullable(z.string()) }),
)
const readOverdue = wholeCompany(
  `select count(*)::int as overdue from point_lot
   where company_id = $1 and remaining > 0 and ${hasExpired('$2')}`,
  z.object({ overdue: z.int() }),
)
const insertMonth = statement(
  'insert into point_month (company_id, month) values ($1, $2)',
  z.unknown(),
)
const readSums = wholeCompany(
  monthSums('select $2::date as month'),
  z.object({
    opening: z.int(),
    closing: z.int(),
    entries: z.int(),
    forgiven: z.int(),
    types: z.json(),
    hash: z.instanceof(Buffer),
  }),
)
const insertFigures = statement(
  `insert into point_month_figures (company_id, month, opening, closing, entries, forgiven, types,
     hash, report)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
  z.unknown(),
)
const readMonths = statement(
  `select to_char(m.month, 'YYYY-MM') as month, m.closed_at, f.opening, f.closing, f.entries,
     encode(f.hash, 'hex') as hash
   from point_month m left join point_month_figures f using (company_id, month)
   where m.company_id = $1 order by m.month`,
  z.object({
    month: z.string(),
    closed_at: z.string(),
    opening: z.nullable(z.int()),
    closing: z.nullable(z.int()),
    entries: z.nullable(z.int()),
    hash: z.nullable(z.string()),
  }),
)

/**
 * SQL: the sums of each month of company `$1`, and a hash of its entries. The hash leaves out the
 * words that people typed, because erasing a member removes them, and the account with the place in
 * it, because a merge of two members moves entries. It is a hash of the days' hashes of the
 * entries' hashes, so that no text grows with the company.
 * @param months SQL of the months, with the column `month`
 */
export function monthSums(months: string): string {
  return `with wanted as (${months}), entry as not materialized (
      select *, date_trunc('month', booked)::date as month
      from (select *, ${dayOf('$1')} as booked from point_entry where company_id = $1) e
    ), typed as (
      select month, type, sum(points) as points, count(*) as entries from entry group by 1, 2
    ), day as (
      select month, booked, sha256(string_agg(sha256(convert_to(jsonb_build_array(entry_id,
        type, points, trim_scale(amount), invoice_number, earn_date, expiry_date, store_code,
        extract(epoch from created_at), reverses)::text, 'UTF8')), ''::bytea order by entry_id))
        as hash
      from entry where month in (select month from wanted) group by 1, 2
    ), gone as (
      select date_trunc('month', booked_on)::date as month, sum(points) as points
      from point_forgiven where company_id = $1 group by 1
    ), summed as (
      select w.month, coalesce(sum(t.points) filter (where t.month < w.month), 0) as opening,
        coalesce(sum(t.points) filter (where t.month = w.month), 0) as moved,
        coalesce(sum(t.entries) filter (where t.month = w.month), 0) as entries,
        coalesce(jsonb_object_agg(t.type, jsonb_build_array(t.points, t.entries))
          filter (where t.month = w.month), '{}') as types
      from wanted w left join typed t on t.month <= w.month group by w.month
    ), hashed as (
      select w.month, sha256(coalesce(string_agg(d.hash, ''::bytea order by d.booked), '')) as hash
      from wanted w left join day d on d.month = w.month group by w.month
    )
    select w.month, s.opening::bigint, (s.opening + s.moved)::bigint as closing,
      s.entries::bigint, coalesce(g.points, 0)::bigint as forgiven, s.types, h.hash
    from wanted w
    join summed s on s.month = w.month
    join hashed h on h.month = w.month
    left join gone g on g.month = w.month`
}

export type ClosedMonth = {
  month: string
  closedAt: string
  /** Null for a moment after the closing, or when it was interrupted; closing again adds them. */
  opening: number | null
  closing: number | null
  entries: number | null
  /** SHA-256 of the entries, in hexadecimal. */
  hash: string | null
}

/** Lists a company's closed months, oldest first. */
export async function closedMonths(tx: Transaction, companyId: string): Promise<ClosedMonth[]> {
  const rows = await tx.all(readMonths, [companyId])
  return rows.map(({ closed_at: closedAt, ...row }) => Object.assign(row, { closedAt }))
}

/**
 * Closes a month of a company and stores its figures. From then on no entry can be dated into it.
 * Safe on several processes at once: one of them closes it.
 * @param month `YYYY-MM`
 * @throws Error when the month has not ended, is closed already, is not the next one to close, or
 *   when points that expired in it are not written off yet
 */
export async function closeMonth(
  database: Database,
  company: { id: string; identifier: string },
  month: string,
): Promise<ClosedMonth> {
  const first = `${month}-01`
  const last = endOfMonth(first)
  // Entries take no lock for this. The month is closed first; when the transactions that may not
  // have seen it have ended, its figures are final. A transaction has its id from the lock of the
  // account, before it chooses the day of an entry. So every one that has not seen the closed month
  // has an id below one that is taken when each node shows the month.
  const revision = await addMonth(database, company, month)
  const shown = await writersToEnd(database, company.id)
  if (!shown || !(await writersToEnd(database, company.id))) {
    throw new Error(`a transaction still runs; ${month} is closed, close it again for its figures`)
  }
  const report = await database.reading(company.id, async (tx) => {
    const settings = await settingsOf(tx, { id: company.id, revision })
    return reportPoints(tx, company.id, { from: first, to: last, by: 'store' }, settings)
  })
  const { accounts, lots } = report.difference
  if (accounts !== 0 || lots !== 0) {
    throw new Error('the books differ from the ledger; run tillside doctor for details')
  }
  return database.transaction(company.id, async (tx) => {
    const [, sums] = await Promise.all([
      allowWholeCompany(tx),
      tx.one(readSums, [company.id, first]),
    ])
    const values = [
      company.id,
      first,
      sums.opening,
      sums.closing,
      sums.entries,
      sums.forgiven,
      JSON.stringify(sums.types),
      sums.hash,
      JSON.stringify(report),
    ]
    await insertOnce(tx, insertFigures, values, new Error(closedAlready(company.identifier, month)))
    const closed = (await closedMonths(tx, company.id)).find((one) => one.month === month)
    if (closed === undefined) throw new Error('the closed month is gone')
    const actor = { company: { id: company.id }, staff: null, store: null }
    const { opening, closing, entries, hash } = closed
    const details = { month, opening, closing, entries, hash }
    writeAudit(tx, actor, 'command', { action: 'points.close', memberId: null, details })
    return closed
  })
}

/**
 * Adds the row that closes the month, if it is not there already, and returns the company's
 * revision. On a cluster the row is prepared on each node, and some nodes may show it a moment
 * after the commit.
 */
function addMonth(
  database: Database,
  company: { id: string; identifier: string },
  month: string,
): Promise<number> {
  const first = `${month}-01`
  return database.transaction(company.id, async (tx) => {
    const [, { revision, today }, closed, { began }, { overdue }] = await Promise.all([
      allowWholeCompany(tx),
      tx.one(readToday, [company.id]),
      tx.one(readClosed, [company.id, first]),
      tx.one(readBegan, [company.id]),
      tx.one(readOverdue, [company.id, endOfMonth(first)]),
    ])
    const state = { today, ...closed, began, overdue }
    const refusal = refusalOf(state, company.identifier, month)
    if (refusal !== null) throw new Error(refusal)
    if (closed.last === null || closed.last < first) {
      const closedNow = new Outdated('another process has closed the month')
      await insertOnce(tx, insertMonth, [company.id, first], closedNow)
    }
    return revision
  })
}

/**
 * Adds a row that no other process has added; `on conflict` would need the right to update the row,
 * on a cluster.
 * @throws `taken` if it is there already
 */
async function insertOnce(
  tx: Transaction,
  insert: Statement<unknown>,
  values: readonly unknown[],
  taken: Error,
): Promise<void> {
  try {
    await tx.run(insert, values)
  } catch (error) {
    throw sqlState(error) === '23505' ? taken : error
  }
}

type State = z.infer<typeof readClosed.row> & {
  today: string
  began: string | null
  overdue: number
}

function refusalOf(
  { today, first, last, stored, began, overdue }: State,
  identifier: string,
  month: string,
): string | null {
  const begin = `${month}-01`
  const end = endOfMonth(begin)
  if (end >= today) return `${month} has not ended in ${identifier}; its last day is ${end}`
  if (began === null || began > end) return `${identifier} has no entries until the end of ${month}`
  if (stored) return closedAlready(identifier, month)
  if (first !== null && begin < first) {
    return `${month} is before ${first.slice(0, 7)}, the first closed month of ${identifier}`
  }
  const next = last === null ? begin : addMonths(last, 1)
  if (begin > next) return `close ${next.slice(0, 7)} first`
  if (overdue === 0) return null
  const before = addDays(end, 1)
  const job = `tillside jobs run expiry --now --company ${identifier}`
  return `points that expired before ${before} are not written off yet; run ${job}`
}

function closedAlready(identifier: string, month: string): string {
  return `${month} of ${identifier} is closed already`
}
