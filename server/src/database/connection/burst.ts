import * as pg from 'pg'
import { serialize } from 'pg-protocol'

/** A statement that has been sent, with the callbacks of its promise. */
export type PendingStatement = {
  /** Empty: it is not prepared, and returns no rows. */
  name: string
  text: string
  values: (string | Buffer | null)[]
  /** The messages of a statement without name and values, which never change. */
  messages?: Buffer
  resolve: (answer: Answer) => void
  reject: (error: Error) => void
}

/** A statement that is sent often, but not prepared. It has no values and its answer is ignored. */
export function unprepared(text: string): PendingStatement {
  const messages = [serialize.parse({ text }), serialize.bind({}), serialize.execute()]
  const ignored = { resolve: () => {}, reject: () => {} }
  return { name: '', text, values: [], messages: Buffer.concat(messages), ...ignored }
}

/** PostgreSQL's answer to one statement. `command` is its tag, such as `UPDATE 3`. */
export type Answer = { rows: Record<string, unknown>[]; command: string }

/** The number of rows that a statement affected. */
export function rowsAffected({ command }: Answer): number {
  return Number(/ (\d+)$/.exec(command)?.[1] ?? 0)
}

type Field = { name: string; dataTypeID: Parameters<typeof pg.types.getTypeParser>[0] }
/** The result columns of a statement. `empty` is a row without values. */
type Columns = {
  empty: Readonly<Record<string, null>>
  columns: readonly { name: string; read: (text: string) => unknown }[]
}

const none: Columns = { empty: {}, columns: [] }

// The statements prepared on each connection, with their result columns. PostgreSQL describes the
// columns only the first time.
const prepared = new WeakMap<pg.Connection, Map<string, Columns>>()

/**
 * Statements sent together: one write, one `Sync`, one read. `pg` by itself sends a `Sync` after
 * each statement, which costs a packet and a wake-up in each direction; on the reference machine
 * that took longer than the statements. When one fails, PostgreSQL skips the rest, and they fail
 * with the same error.
 */
export class Burst implements pg.Submittable {
  readonly #statements: readonly PendingStatement[]
  readonly #types: pg.CustomTypesConfig
  readonly #named: boolean
  readonly #answers: Answer[] = []
  #known = new Map<string, Columns>()
  #columns: Columns | undefined
  #rows: Answer['rows'] = []

  /**
   * @param named whether prepared statements survive on the connection. A pooler in transaction
   *   mode may give each transaction another connection.
   */
  constructor(statements: readonly PendingStatement[], types: pg.CustomTypesConfig, named = true) {
    this.#statements = statements
    this.#types = types
    this.#named = named
  }

  submit(connection: pg.Connection): void {
    this.#known = prepared.get(connection) ?? new Map<string, Columns>()
    prepared.set(connection, this.#known)
    const parsed = new Set<string>()
    const messages: Buffer[] = []
    for (const { name, text, values, messages: whole } of this.#statements) {
      if (whole !== undefined) {
        messages.push(whole)
        continue
      }
      const isNew = !this.#known.has(name) && !parsed.has(name)
      const isNamed = this.#named && name !== ''
      if (!isNamed) messages.push(serialize.parse({ text }))
      else if (isNew) {
        // Closing a statement that does not exist is not an error. It removes one that a failure
        // left half prepared.
        messages.push(serialize.close({ type: 'S', name }), serialize.parse({ name, text }))
        parsed.add(name)
      }
      messages.push(serialize.bind({ statement: isNamed ? name : '', values }))
      if (name !== '' && !this.#known.has(name)) messages.push(serialize.describe({ type: 'P' }))
      messages.push(serialize.execute())
    }
    messages.push(serialize.sync())
    // One write of one buffer: a write of many buffers takes the kernel longer.
    if (connection.stream.writable) connection.stream.write(Buffer.concat(messages))
  }

  handleRowDescription({ fields }: { fields: readonly Field[] }): void {
    const empty = Object.fromEntries(fields.map(({ name }) => [name, null]))
    // The names as V8 keeps them, so that it does not look for each name of each row.
    const names = Object.keys(empty)
    const columns = fields.map(({ name, dataTypeID }) => ({
      name: names[names.indexOf(name)] ?? name,
      read: this.#types.getTypeParser(dataTypeID, 'text'),
    }))
    this.#columns = { empty, columns }
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    const { empty, columns } = this.#columns ?? this.#known.get(this.#current()?.name ?? '') ?? none
    // All rows of a statement have one shape.
    const row: Record<string, unknown> = { ...empty }
    for (let n = 0; n < columns.length; n++) {
      const column = columns[n]
      const text = fields[n]
      if (column !== undefined && typeof text === 'string') row[column.name] = column.read(text)
    }
    this.#rows.push(row)
  }

  handleCommandComplete({ text }: { text: string }): void {
    const name = this.#current()?.name
    if (name !== undefined && !this.#known.has(name)) this.#known.set(name, this.#columns ?? none)
    this.#answers.push({ rows: this.#rows, command: text })
    this.#columns = undefined
    this.#rows = []
  }

  handleReadyForQuery(): void {
    // An error is costly to create: it captures the stack.
    const isWhole = this.#answers.length === this.#statements.length
    this.#settle(isWhole ? null : new Error('PostgreSQL ended a burst before its last answer'))
  }

  handleError(error: Error): void {
    this.#settle(error)
  }

  #current(): PendingStatement | undefined {
    return this.#statements[this.#answers.length]
  }

  /** @param error for the statements that were not answered; null when all were */
  #settle(error: Error | null): void {
    this.#statements.forEach(({ resolve, reject }, n) => {
      const answer = this.#answers[n]
      if (answer !== undefined) resolve(answer)
      else if (error !== null) reject(error)
    })
  }
}

/**
 * Encodes a value as PostgreSQL reads it. Everything other than text, bytes and arrays becomes
 * JSON.
 */
export function encode(value: unknown): string | Buffer | null {
  if (value === null || value === undefined) return null
  if (Buffer.isBuffer(value)) return value
  if (Array.isArray(value)) return `{${value.map(encodeElement).join(',')}}`
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function encodeElement(value: unknown): string {
  const encoded = encode(value)
  if (encoded === null) return 'NULL'
  if (Array.isArray(value)) return String(encoded)
  const text = Buffer.isBuffer(encoded) ? `\\x${encoded.toString('hex')}` : encoded
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`
}
