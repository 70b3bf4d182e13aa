import { CalendarDay, MemberCode } from '@tillside/contract/wire/shapes'
import { readCouponCode } from '@tillside/contract/rules/coupon-code'
import * as z from 'zod/mini'
import { type Database, statement, type Transaction } from '../database/database.ts'
import { insertOf, insertRows } from '../database/insert.ts'
import { wholeCompany } from '../database/reads/whole.ts'
import { writeAudit } from '../database/audit.ts'
import { openCsv } from '../values/csv.ts'
import { codeKey } from '../member/key.ts'
import { validityFrom } from './at-once/definitions.ts'
import { nowSql, todaySql } from '../database/reads/today.ts'
import { countIssued, lockStock, remaining } from '../points/gift/stock.ts'
import { enqueueCouponEvents } from './events/enqueue.ts'

// Imports codes that customers of a company already have. Limits per member are not checked,
// because the coupons were issued elsewhere. The stock is checked, because it bounds the total
// number.

/** The columns of the file; the first two are required. Dates: `YYYY-MM-DD`, both included. */
const columns = ['code', 'memberCode', 'startDate', 'expiryDate'] as const
const batchSize = 500

const readDefinition = statement(
  `select start_date, end_date, valid_days, starts_after, stock,
     ${nowSql('c')} as now, ${todaySql('c')} as today
   from coupon_definition d join company c using (company_id)
   where d.company_id = $1 and d.coupon_id = $2`,
  z.object({
    start_date: z.nullable(z.string()),
    end_date: z.nullable(z.string()),
    valid_days: z.nullable(z.int()),
    starts_after: z.int(),
    stock: z.nullable(z.int()),
    now: z.string(),
    today: z.string(),
  }),
)
const findMembers = wholeCompany(
  `select value, member_id from member_key
   where company_id = $1 and kind = 'code' and value = any ($2)`,
  z.object({ value: z.string(), member_id: z.string() }),
)
const findCoupons = wholeCompany(
  `select coupon_code, coupon_id, member_id, start_date, expiry_date from coupon
   where company_id = $1 and coupon_code = any ($2)`,
  z.object({
    coupon_code: z.string(),
    coupon_id: z.string(),
    member_id: z.string(),
    start_date: z.string(),
    expiry_date: z.string(),
  }),
)
const insert = insertOf(
  `coupon (company_id, coupon_id, issued_at, issue_date, coupon_code, printed_code, member_id,
     start_date, expiry_date)`,
  '($1, $2, $3, $4, $5, $6, $7, $8, $9)',
  '',
  z.unknown(),
)
const insertKeys = insertOf(
  'coupon_key (company_id, coupon_code, member_id)',
  '($1, $2, $3)',
  '',
  z.unknown(),
)

/** `line` is the one on which the row ends, the header's being 1. */
export type RejectedCoupon = { line: number; code: string; reason: string }
export type CouponImport = { read: number; created: number; unchanged: number; rejected: number }

type Row = { line: number; cells: Record<(typeof columns)[number], string> }
type Company = { id: string }
type Listener = {
  reject(row: RejectedCoupon): Promise<void>
  /** @param done between 0 and 1 */
  progress(done: number): void
}

/**
 * Brings in coupons of one definition from a CSV file with a header. The same row again changes
 * nothing, so a file can be sent once more after a row was put right or the import was killed.
 * @throws Error when the file cannot be read or lacks a column, or there is no such definition
 */
export async function importCoupons(
  database: Database,
  company: Company,
  couponId: string,
  file: string,
  listener: Listener,
): Promise<CouponImport> {
  const counts = { read: 0, created: 0, unchanged: 0, rejected: 0 }
  const opened = await openCsv(file, { delimiter: ',', encoding: 'utf8' })
  const rowOf = rowReader(opened.header)
  for await (const pack of opened.packs(batchSize)) {
    const unreadable = pack.filter(({ cells }) => cells === null)
    for (const { line, problem } of unreadable) {
      await listener.reject({ line, code: '', reason: problem ?? 'cannot be read' })
    }
    const rows = pack.flatMap(({ line, cells }) => (cells === null ? [] : [rowOf(line, cells)]))
    const done = await database.transaction(company.id, (tx) =>
      bringIn(tx, company, couponId, rows),
    )
    for (const row of done.rejected) await listener.reject(row)
    const rejected = unreadable.length + done.rejected.length
    counts.read += pack.length
    counts.created += done.created
    counts.rejected += rejected
    counts.unchanged += pack.length - done.created - rejected
    listener.progress(opened.progress())
  }
  if (counts.read === 0) throw new Error('the file has no rows')
  return counts
}

/** Columns may have any order; a row may end before the optional ones. */
function rowReader(header: readonly string[]): (line: number, cells: readonly string[]) => Row {
  const places = columns.map((name) => header.indexOf(name))
  const missing = columns.slice(0, 2).filter((name) => !header.includes(name))
  if (missing.length > 0) throw new Error(`the file has no column ${missing.join(', ')}`)
  return (line, cells) => {
    const [code = '', memberCode = '', startDate = '', expiryDate = ''] = places.map((place) =>
      (cells[place] ?? '').trim(),
    )
    return { line, cells: { code, memberCode, startDate, expiryDate } }
  }
}

async function bringIn(tx: Transaction, company: Company, couponId: string, batch: readonly Row[]) {
  const keys = batch.map(({ cells }) => codeKey(cells.memberCode))
  const codes = batch.map(({ cells }) => readCouponCode(cells.code))
  const [[issued], definition, members, there] = await Promise.all([
    lockStock(tx, company.id, [['coupon', couponId]]),
    tx.maybe(readDefinition, [company.id, couponId]),
    tx.all(findMembers, [company.id, keys]),
    tx.all(findCoupons, [company.id, codes]),
  ])
  if (definition === null) throw new Error(`there is no coupon definition "${couponId}"`)
  const left = remaining(definition.stock, issued)
  const own = validityFrom(definition, definition.today)
  const memberIds = new Map(members.map((row) => [row.value, row.member_id]))
  const known = new Map(there.map((row) => [row.coupon_code, row]))
  const created: Created[] = []
  const rejected: RejectedCoupon[] = []
  for (const [index, { line, cells }] of batch.entries()) {
    const code = codes[index] ?? ''
    const memberId = memberIds.get(keys[index] ?? '')
    const wanted = {
      coupon_code: code,
      coupon_id: couponId,
      member_id: memberId ?? '',
      start_date: cells.startDate || own.start,
      expiry_date: cells.expiryDate || own.end,
    }
    const before = known.get(code)
    const full = left !== null && created.length >= left
    const problem =
      problemOf(cells, wanted) ??
      (before === undefined
        ? full
          ? 'the stock is too small'
          : null
        : clash(before, cells, wanted))
    if (problem !== null) rejected.push({ line, code: cells.code, reason: problem })
    else if (before === undefined) {
      created.push({ ...wanted, printed: cells.code === code ? null : cells.code })
      known.set(code, wanted)
    }
  }
  if (created.length > 0) await write(tx, company, couponId, definition, created)
  return { created: created.length, rejected }
}

type Wanted = z.infer<(typeof findCoupons)['row']>
type Created = Wanted & { printed: string | null }

/** Errors of the row that need no database. */
function problemOf(cells: Row['cells'], wanted: Wanted): string | null {
  if (cells.code.length > 64 || !/^[0-9A-Z]{4,32}$/.test(wanted.coupon_code)) {
    return 'a code must have 4 to 32 letters and digits'
  }
  if (!MemberCode.safeParse(cells.memberCode).success || wanted.member_id === '') {
    return `there is no member "${cells.memberCode}"`
  }
  for (const day of [wanted.start_date, wanted.expiry_date]) {
    if (!CalendarDay.safeParse(day).success) return `"${day}" is not a valid date`
  }
  return wanted.start_date > wanted.expiry_date ? 'the validity ends before it begins' : null
}

/** The difference between the row and the stored coupon with its code; null when they agree. */
function clash(before: Wanted, cells: Row['cells'], wanted: Wanted): string | null {
  if (before.member_id !== wanted.member_id) return 'the code belongs to another member'
  if (before.coupon_id !== wanted.coupon_id) return 'the code belongs to another coupon'
  const starts = cells.startDate === '' || cells.startDate === before.start_date
  const ends = cells.expiryDate === '' || cells.expiryDate === before.expiry_date
  return starts && ends ? null : 'the code exists already with other dates'
}

async function write(
  tx: Transaction,
  company: Company,
  couponId: string,
  { now, today }: { now: string; today: string },
  created: readonly Created[],
): Promise<void> {
  const keys = created.map((row) => [row.coupon_code, row.member_id])
  const rows = created.map((row) => {
    const { coupon_code: code, member_id: member, start_date: start, expiry_date: end } = row
    return [couponId, now, today, code, row.printed, member, start, end]
  })
  await Promise.all([
    insertRows(tx, insertKeys, company.id, keys),
    insertRows(tx, insert, company.id, rows),
    countIssued(tx, company.id, ['coupon', couponId], created.length),
  ])
  const events = created.map((row) => {
    const { coupon_code: couponCode, start_date: startDate, expiry_date: expiryDate } = row
    return { memberId: row.member_id, data: { couponCode, startDate, expiryDate } }
  })
  enqueueCouponEvents(tx, company.id, 'coupon.issued', events)
  writeAudit(tx, { company, staff: null, store: null }, 'command', {
    action: 'coupon.import',
    memberId: null,
    details: { couponId, created: created.length },
  })
}
