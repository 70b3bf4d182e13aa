import type * as z from 'zod/mini'
import type { Answer } from '../connection/burst.ts'

// The rows of a statement's answer, parsed by the statement's schema.

type Parsed<Row> = { row: z.ZodMiniType<Row> }

/** All rows of an answer, parsed. */
export function allOf<Row>({ rows }: Answer, { row: schema }: Parsed<Row>): Row[] {
  return rows.map((row) => schema.parse(row))
}

/** The only row, or null. @throws Error when there are several */
export function maybeOf<Row>({ rows }: Answer, { row: schema }: Parsed<Row>): Row | null {
  if (rows.length > 1) throw new Error(`${rows.length} rows where at most one was expected`)
  return rows.length === 0 ? null : schema.parse(rows[0])
}

/** The only row. @throws Error when there is none or there are several */
export function oneOf<Row>({ rows }: Answer, { row: schema }: Parsed<Row>): Row {
  if (rows.length !== 1) throw new Error(`${rows.length} rows instead of one`)
  return schema.parse(rows[0])
}
