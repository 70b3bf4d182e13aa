import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'
import * as z from 'zod/mini'
import { CsvFormat } from '../../values/csv.ts'
import { timeReader } from '../../values/time-format.ts'

const Column = z.string().check(z.minLength(1), z.maxLength(200))
/** Text with placeholders: `{name}` is a named group of the customer pattern, or else a column. */
const Template = z.string().check(z.minLength(1), z.maxLength(500))

/** Maps the columns of a file to receipts and members. */
export const Mapping = z.strictObject({
  ...CsvFormat.shape,
  /** A note for readers, not used: amounts are in the company's currency. */
  currency: z.optional(z.string()),
  /** Formats of YYYY, MM, M, DD, D, HH, H, mm, ss and separators; the first match is used. */
  dates: z.array(z.string().check(z.minLength(1))).check(z.minLength(1)),
  /** Time zone of the file's times; default: the company's. */
  timeZone: z.optional(z.string().check(z.refine(isTimeZone))),
  source: z.int().check(z.positive()),
  /** Store code, which may contain placeholders; absent: no store. */
  store: z.optional(Template),
  columns: z.strictObject({
    invoiceNumber: Column,
    date: Column,
    sku: Column,
    /** If the cell is empty, the SKU is used as the name. */
    name: Column,
    quantity: Column,
    price: Column,
    customer: z.optional(Column),
  }),
  /** Which invoices are returns: those below zero, and with `prefix` also those that begin so. */
  returns: z.union([
    z.strictObject({ prefix: z.string().check(z.minLength(1)) }),
    z.strictObject({ negative: z.literal(true) }),
  ]),
  member: z.optional(
    z.strictObject({
      /** Regular expression for the customer column; its named groups fill the templates. */
      customer: z.string().check(z.refine(isPattern)),
      code: Template,
      cardNumber: Template,
      uniCustomerNo: Template,
      firstName: Template,
      lastName: Template,
      country: z.optional(Template),
    }),
  ),
})
export type Mapping = z.infer<typeof Mapping>

/**
 * Reads a mapping from a YAML file.
 * @throws Error if the file cannot be read or is invalid, with one line for each problem
 */
export async function readMapping(file: string): Promise<Mapping> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new Error(`${file} does not exist or cannot be read`)
  })
  const content: unknown = parse(text)
  const parsed = Mapping.safeParse(content, { error: z.locales.en().localeError })
  if (parsed.success) return parsed.data
  const lines = parsed.error.issues.map(
    (issue) => `${file}: ${issue.path.join('.')} ${issue.message}`,
  )
  throw new Error(lines.join('\n'))
}

export type Cells = readonly string[]

/** The member fields of a row, not validated yet. */
export type Customer = {
  memberCode: string
  cardNumber: string
  uniCustomerNo: string
  firstName: string
  lastName: string
  country: string | null
}

/** Reads the fields of a row by the mapping and the file's header. */
export type Reader = {
  mapping: Mapping
  cell(cells: Cells, column: keyof Mapping['columns']): string
  /** `YYYY-MM-DDTHH:mm:ss` without a zone, or null when no format fits. */
  localTime(cells: Cells): string | null
  /** The row's member code; null for no member, or a problem if the cell does not match. */
  memberCode(cells: Cells): { code: string } | { problem: string } | null
  /** The member of a row that has a member code. */
  customer(cells: Cells): Customer
  /** The row's store, or null. */
  store(cells: Cells): string | null
}

/** @throws Error with the names of the mapping's columns that the file does not have */
export function readerFor(mapping: Mapping, header: Cells): Reader {
  const index = new Map(header.map((name, at) => [name, at]))
  const { member } = mapping
  const source = member?.customer ?? '^$'
  const pattern = new RegExp(source, 'u')
  const groups = namesIn(source, /\(\?<([A-Za-z]\w*)>/gu)
  const templates = [
    mapping.store,
    member?.code,
    member?.cardNumber,
    member?.uniCustomerNo,
    member?.firstName,
    member?.lastName,
    member?.country,
  ]
  const named = templates.flatMap((template) => namesIn(template ?? '', placeholder))
  const wanted = new Set(Object.values(mapping.columns).filter((name) => name !== undefined))
  for (const name of named) if (!groups.includes(name)) wanted.add(name)
  const missing = [...wanted].filter((name) => !index.has(name))
  if (missing.length > 0) throw new Error(`the file has no column ${missing.join(', ')}`)

  const times = mapping.dates.map(timeReader)
  const at = (cells: Cells, name: string | undefined) =>
    name === undefined ? '' : (cells[index.get(name) ?? -1] ?? '').trim()
  const fill = (template: string, cells: Cells, names: Record<string, string> = {}) =>
    template.replaceAll(placeholder, (_, name: string) => names[name] ?? at(cells, name))
  return {
    mapping,
    cell: (cells, column) => at(cells, mapping.columns[column]),
    localTime(cells) {
      const text = at(cells, mapping.columns.date)
      for (const read of times) {
        const time = read(text)
        if (time !== null) return time
      }
      return null
    },
    memberCode(cells) {
      const text = at(cells, mapping.columns.customer)
      if (text === '' || member === undefined) return null
      const match = pattern.exec(text)
      return match === null
        ? { problem: `the customer "${text}" does not fit the mapping's pattern` }
        : { code: fill(member.code, cells, match.groups) }
    },
    customer(cells) {
      const names = pattern.exec(at(cells, mapping.columns.customer))?.groups
      const filled = (template = '') => fill(template, cells, names)
      return {
        memberCode: filled(member?.code),
        cardNumber: filled(member?.cardNumber),
        uniCustomerNo: filled(member?.uniCustomerNo),
        firstName: filled(member?.firstName),
        lastName: filled(member?.lastName),
        country: filled(member?.country) || null,
      }
    },
    store: (cells) => (mapping.store === undefined ? null : fill(mapping.store, cells) || null),
  }
}

const placeholder = /\{([^{}]+)\}/gu

function namesIn(text: string, of: RegExp): string[] {
  return [...text.matchAll(of)].map((match) => match[1] ?? '')
}

function isPattern(source: string): boolean {
  try {
    return new RegExp(source, 'u').flags === 'u'
  } catch {
    return false
  }
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone.length > 0
  } catch {
    return false
  }
}
