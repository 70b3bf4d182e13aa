import * as z from 'zod/mini'
import type { FileRow } from '../../values/csv.ts'
import { type Database, statement } from '../../database/database.ts'
import { wholeCompany } from '../../database/reads/whole.ts'
import type { Reader } from './mapping.ts'

// The file's rows are stored in the database until all rows of each invoice are there. So the
// memory use of an import does not grow with the file.

const insertRows = statement(
  `insert into import_row (company_id, import_id, invoice_number, row_no, at, customer, cells,
     problem)
   values ($1, $2, unnest($3::text[]), unnest($4::int[]), unnest($5::timestamp[]),
     unnest($6::text[]), unnest($7::text[]), unnest($8::text[]))`,
  z.unknown(),
)
const unlimited = statement('set local statement_timeout = 0', z.unknown())
// Citus inserts on the node that it selects from only if the place is a column of both.
const arrange = statement(
  `insert into import_invoice (company_id, import_id, lane, position, invoice_number, at)
   select company_id, import_id, lane,
     row_number() over (partition by import_id, lane order by at, first, invoice_number),
     invoice_number, at
   from (
     select company_id, import_id, invoice_number, min(at) as at, min(row_no) as first,
       (hashtext(coalesce(min(customer), invoice_number)) & 2147483647) % $3::int as lane
     from import_row where company_id = $1 and import_id = $2
     group by company_id, import_id, invoice_number
   ) i`,
  z.unknown(),
)
// A lateral join, because each import refills the table and its statistics are misleading. This way
// the rows of each invoice are read as one range of the index.
const readBatch = statement(
  `select i.invoice_number, i.at at time zone $5 as at,
     to_char(i.at at time zone $5 at time zone $6, 'YYYY-MM-DD') as day, r.cells, r.problem,
     r.customers
   from import_invoice i cross join lateral (
     select '[' || string_agg(cells, ',' order by row_no) || ']' as cells, min(problem) as problem,
       count(distinct customer)::int as customers
     from import_row r
     where r.company_id = $1 and r.import_id = $2 and r.invoice_number = i.invoice_number
   ) r
   where i.company_id = $1 and i.import_id = $2 and i.lane = $3
     and i.position > $4 and i.position <= $4 + $7
   order by i.position`,
  z.object({
    invoice_number: z.string(),
    at: z.nullable(z.string()),
    day: z.nullable(z.string()),
    cells: z.string(),
    problem: z.nullable(z.string()),
    customers: z.int(),
  }),
)
// `skip_locked` skips a table that another session is analyzing. PostgreSQL 16 skips all of them,
// because only its owner may analyze a table; autovacuum does it within a minute.
const analyze = statement(
  `analyze (skip_locked) member, member_key, member_tier, qualifying_spend, point_account,
     point_entry, point_lot, point_burn, transaction, transaction_item, transaction_return`,
  z.unknown(),
)
// The first 48 bits of the import id are its creation time in milliseconds (UUIDv7). Rows that a
// killed import left behind are deleted by an import that runs at least a day later.
const yesterday = `rpad(lpad(to_hex(
  (extract(epoch from now() - interval '1 day') * 1000)::int8), 12, '0'), 32, '0')::uuid`
const tables = ['import_invoice', 'import_row']
const clear = tables.map((table) =>
  statement(`delete from ${table} where company_id = $1 and import_id = $2`, z.unknown()),
)
const findOld = tables.map((table) =>
  wholeCompany(
    `select distinct import_id from ${table} where company_id = $1 and import_id < ${yesterday}`,
    z.object({ import_id: z.string() }),
  ),
)

/** A row that is not recorded, and the reason. */
export type Rejected = { line: number; invoiceNumber: string; reason: string }

/** Temporary storage of one file's rows in the database. */
export type Staging = {
  /** Stores rows. @returns the rows without a usable invoice number, which are not stored */
  add(rows: readonly FileRow[], reader: Reader): Promise<Rejected[]>
  /** Sorts the invoices by time; each member's are in one lane. @returns how many there are */
  arrange(lanes: number): Promise<number>
  /** Reads up to `count` invoices of a lane after position `after`, in order of time. */
  next(lane: number, after: number, count: number): Promise<StagedInvoice[]>
  /** Updates PostgreSQL's statistics, so that its query plans fit the imported rows. */
  analyze(): Promise<void>
  /** Deletes this file's rows, and those of unfinished imports that are more than a day old. */
  clear(): Promise<void>
}

export type StagedInvoice = {
  invoiceNumber: string
  /** RFC 3339 in UTC, the earliest time of its rows; null if no row has a valid time. */
  at: string | null
  /** The company's day at that time. */
  day: string | null
  rows: { line: number; cells: string[] }[]
  /** The problem of one of its rows; null if all rows are valid. */
  problem: string | null
}

const Rows = z.array(z.tuple([z.int()], z.string()))
const printable = /^[^\p{Cc}]{1,64}$/u

/** @param zone time zone of the file's times, which may differ from `company.timeZone` */
export function stagingOf(
  database: Database,
  company: { id: string; timeZone: string },
  importId: string,
  zone: string,
): Staging {
  const ids = [company.id, importId]
  return {
    async add(rows, reader) {
      const { staged, rejected } = sort(rows, reader)
      const columns = ([0, 1, 2, 3, 4, 5] as const).map((at) => staged.map((row) => row[at]))
      await database.transaction(company.id, (tx) => tx.run(insertRows, [...ids, ...columns]))
      return rejected
    },
    arrange: (lanes) =>
      database.transaction(company.id, async (tx) => {
        await tx.run(unlimited, [])
        return tx.run(arrange, [...ids, lanes])
      }),
    next: (lane, after, count) =>
      database.transaction(company.id, async (tx) => {
        const rows = await tx.all(readBatch, [...ids, lane, after, zone, company.timeZone, count])
        return rows.map(
          ({ invoice_number: invoiceNumber, at, day, cells, problem, customers }) => ({
            invoiceNumber,
            at,
            day,
            rows: Rows.parse(JSON.parse(cells)).map(([line, ...rest]) => ({ line, cells: rest })),
            problem: customers > 1 ? 'its rows name several customers' : problem,
          }),
        )
      }),
    analyze: () =>
      database.transaction(company.id, async (tx) => {
        await tx.run(unlimited, [])
        await tx.run(analyze, [])
      }),
    clear: () =>
      database.transaction(company.id, async (tx) => {
        await tx.run(unlimited, [])
        const old = await Promise.all(findOld.map((found) => tx.all(found, [company.id])))
        const all = new Set([importId, ...old.flat().map((row) => row.import_id)])
        for (const id of all) await Promise.all(clear.map((s) => tx.run(s, [company.id, id])))
      }),
  }
}

type StagedRow = readonly [
  invoiceNumber: string,
  line: number,
  time: string | null,
  customer: string | null,
  cells: string,
  problem: string | null,
]

/** Separates the rows with a usable invoice number from the others. */
function sort(rows: readonly FileRow[], reader: Reader) {
  const [staged, rejected]: [StagedRow[], Rejected[]] = [[], []]
  for (const { line, cells, problem } of rows) {
    const invoiceNumber = cells === null ? '' : reader.cell(cells, 'invoiceNumber')
    if (cells === null || !printable.test(invoiceNumber)) {
      rejected.push({ line, invoiceNumber: '', reason: problem ?? 'no usable invoice number' })
      continue
    }
    const read = readHead(cells, problem, reader)
    const text = JSON.stringify([line, ...cells])
    staged.push([invoiceNumber, line, read.time, read.customer, text, read.problem])
  }
  return { staged, rejected }
}

/** Reads the time and the customer of a row, which decide the invoice's order and lane. */
function readHead(cells: readonly string[], problem: string | null, reader: Reader) {
  if (problem !== null) return bad(problem)
  const time = reader.localTime(cells)
  if (time === null) return bad(`"${reader.cell(cells, 'date')}" is not a time of these formats`)
  const member = reader.memberCode(cells)
  if (member === null) return { time, customer: null, problem: null }
  return 'code' in member ? { time, customer: member.code, problem: null } : bad(member.problem)
}

function bad(problem: string) {
  return { time: null, customer: null, problem }
}
