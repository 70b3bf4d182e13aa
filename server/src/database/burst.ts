import * as pg from 'pg'

/** A statement on its way, and who waits for it. */
export type PendingStatement = {
  name: string
  text: string
  values: (string | Buffer | null)[]
  resolve: (answer: Answer) => void
  reject: (error: Error) => void
}

/** What PostgreSQL said to one statement; `count`: how many rows it touched. */
export type Answer = { rows: Record<string, unknown>[]; command: string; count: number }

type Field = { name: string; dataTypeID: Parameters<typeof pg.types.getTypeParser>[0] }
type Columns = readonly { name: string; read: (text: string) => unknown }[]

// What each connection has prepared, with the columns that it answers: told once, then known.
const prepared = new WeakMap<pg.Connection, Map<string, Columns>>()

/**
 * Statements that travel together: one write, one end (`Sync`), one answer. `pg` by itself ends
 * each of them, which is a packet and a wake-up each way; on the reference machine that cost more
 * than the statements did. When one fails, PostgreSQL skips the rest, and they fail as it did.
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
   * @param named whether the connection keeps what was prepared on it; one that a pooler lends for
   *   a transaction may be another one each time
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
    connection.stream.cork()
    for (const { name, text, values } of this.#statements) {
      const isNew = !this.#known.has(name) && !parsed.has(name)
      if (!this.#named) connection.parse({ name: '', text, types: [] }, true)
      else if (isNew) {
        // Closing what is not there is no error, and what a failure left half prepared is gone.
        connection.close({ type: 'S', name }, true)
        connection.parse({ name, text, types: [] }, true)
        parsed.add(name)
      }
      connection.bind({ statement: this.#named ? name : '', values }, true)
      if (!this.#known.has(name)) connection.describe({ type: 'P' }, true)
      connection.execute(null, true)
    }
    connection.sync()
    connection.stream.uncork()
  }

  handleRowDescription({ fields }: { fields: readonly Field[] }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({
      name,
      read: this.#types.getTypeParser(dataTypeID, 'text'),
    }))
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    const columns = this.#columns ?? this.#known.get(this.#current()?.name ?? '') ?? []
    const row: Record<string, unknown> = {}
    for (let n = 0; n < columns.length; n++) {
      const column = columns[n]
      const text = fields[n]
      if (column !== undefined)
        row[column.name] = typeof text === 'string' ? column.read(text) : null
    }
    this.#rows.push(row)
  }

  handleCommandComplete({ text }: { text: string }): void {
    const name = this.#current()?.name
    if (name !== undefined && !this.#known.has(name)) this.#known.set(name, this.#columns ?? [])
    const count = Number(/ (\d+)$/.exec(text)?.[1] ?? 0)
    this.#answers.push({ rows: this.#rows, command: text, count })
    this.#columns = undefined
    this.#rows = []
  }

  handleReadyForQuery(): void {
    this.#settle(new Error('PostgreSQL ended a burst before it had answered all of it'))
  }

  handleError(error: Error): void {
    this.#settle(error)
  }

  #current(): PendingStatement | undefined {
    return this.#statements[this.#answers.length]
  }

  #settle(error: Error): void {
    this.#statements.forEach(({ resolve, reject }, n) => {
      const answer = this.#answers[n]
      if (answer === undefined) reject(error)
      else resolve(answer)
    })
  }
}

/** A value as PostgreSQL reads it: what is neither text, bytes nor a list is JSON. */
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
