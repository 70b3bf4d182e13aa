import { callingCodePattern } from '@tillside/contract/rules/contact'
import { readFile } from 'node:fs/promises'
import { genders } from '@tillside/contract/wire/codes'
import { Language } from '@tillside/contract/wire/language'
import { parse } from 'yaml'
import * as z from 'zod/mini'
import { CsvFormat } from '../values/csv.ts'
import { timeReader } from '../values/time-format.ts'

const Column = z.string().check(z.minLength(1), z.maxLength(200))
const optional = z.optional(Column)

/** The mapping of a file's columns to members. */
export const MemberMapping = z.strictObject({
  ...CsvFormat.shape,
  /** Date formats of YYYY, MM, M, DD, D and literal separators; the first that matches is used. */
  dates: z._default(z.array(z.string().check(z.minLength(1))).check(z.minLength(1)), [
    'YYYY-MM-DD',
  ]),
  /** The calling code of mobile numbers without one. */
  callingCode: z.optional(z.string().check(z.regex(callingCodePattern))),
  /** The file's values for each gender. */
  genders: z._default(z.record(z.string(), z.enum(genders)), { F: 'F', M: 'M' }),
  /** The file's values for yes; all others mean no. */
  yes: z._default(z.array(z.string()), ['1', 'true', 'yes', 'Y']),
  /** The separator of the choices in a field with several. */
  listSeparator: z._default(z.string().check(z.length(1)), '|'),
  /** The language in which the terms were accepted; absent: the company's first. */
  language: z.optional(Language),
  columns: z.strictObject({
    memberCode: Column,
    /** Absent: the member code is used; the same for `uniCustomerNo`. */
    cardNumber: optional,
    uniCustomerNo: optional,
    firstName: optional,
    lastName: optional,
    gender: optional,
    birthday: optional,
    /** With `+` and calling code, or without them if `callingCode` is set. */
    mobile: optional,
    email: optional,
    country: optional,
    province: optional,
    city: optional,
    district: optional,
    detail: optional,
    registrationDate: Column,
    registrationStore: optional,
    marketingOptIn: optional,
    /** The accepted version of the terms; empty: none yet. */
    termsVersion: optional,
    /** Absent: the day of registration. */
    termsDate: optional,
  }),
  /** The columns of the company's own fields. */
  customFields: z._default(z.record(z.string(), Column), {}),
})
export type MemberMapping = z.infer<typeof MemberMapping>
export type KnownColumn = keyof MemberMapping['columns']

/**
 * Reads a mapping.
 * @throws Error with one line for each problem
 */
export async function readMemberMapping(file: string): Promise<MemberMapping> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new Error(`${file} does not exist or cannot be read`)
  })
  const content: unknown = parse(text)
  const parsed = MemberMapping.safeParse(content, { error: z.locales.en().localeError })
  if (parsed.success) return parsed.data
  const lines = parsed.error.issues.map(
    (issue) => `${file}: ${issue.path.join('.')} ${issue.message}`,
  )
  throw new Error(lines.join('\n'))
}

/** Reads cells by the mapping. An empty cell is null. */
export type RowReader = {
  cell(cells: readonly string[], column: KnownColumn): string | null
  custom(cells: readonly string[], field: string): string | null
  /** `YYYY-MM-DD`; undefined when no format matches. */
  day(text: string): string | undefined
}

/** @throws Error naming columns of the mapping that are missing in the file */
export function rowReader(mapping: MemberMapping, header: readonly string[]): RowReader {
  const { columns, customFields } = mapping
  const index = new Map(header.map((name, at) => [name, at]))
  const wanted = [...Object.values(columns), ...Object.values(customFields)]
  const missing = wanted.filter((name) => name !== undefined && !index.has(name))
  if (missing.length > 0) throw new Error(`the file has no column ${missing.join(', ')}`)
  const readers = mapping.dates.map(timeReader)
  const at = (cells: readonly string[], name: string | undefined) => {
    const text = name === undefined ? '' : (cells[index.get(name) ?? -1] ?? '').trim()
    return text === '' ? null : text
  }
  return {
    cell: (cells, column) => at(cells, columns[column]),
    custom: (cells, field) => at(cells, customFields[field]),
    day(text) {
      for (const read of readers) {
        const time = read(text)
        if (time !== null) return time.slice(0, 10)
      }
      return undefined
    },
  }
}
