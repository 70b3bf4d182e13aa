import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { type CsvError, parse } from 'csv-parse'
import * as z from 'zod/mini'

/** One row of the file; `line` is the line on which it ends, counted from 1 for the header. */
export type FileRow = { line: number; cells: readonly string[] | null; problem: string | null }

export type CsvFile = {
  /** The names of the columns. */
  header: readonly string[]
  /** Yields each row once, in the file's order, in packs of at most `size`. */
  packs(size: number): AsyncGenerator<FileRow[]>
  /** The part of the file that was read, between 0 and 1. */
  progress(): number
}

/** The format of a CSV file. */
export const CsvFormat = z.object({
  delimiter: z._default(z.string().check(z.length(1)), ','),
  encoding: z._default(z.enum(['utf8', 'latin1', 'utf16le']), 'utf8'),
})
type CsvFormat = z.infer<typeof CsvFormat>

const Cells = z.array(z.string())
/** `on_record` puts the line number before the cells. */
const Row = z.pipe(
  Cells,
  z.transform(([line, ...cells]) => ({ line: Number(line), cells })),
)

/**
 * Opens a CSV file and reads its header. A gzipped file is recognised by its first bytes.
 * @throws Error when it cannot be read or is empty
 */
export async function openCsv(file: string, format: CsvFormat): Promise<CsvFile> {
  const { size } = await stat(file).catch(() => {
    throw new Error(`${file} does not exist or cannot be read`)
  })
  const source = createReadStream(file)
  const parser = parse({
    delimiter: format.delimiter,
    encoding: format.encoding,
    bom: true,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    // Limits the row when a quote is never closed.
    max_record_size: 1_000_000,
    on_record: (cells: string[], { lines }) => [String(lines), ...cells],
  })
  if (await isGzip(file)) pipeline(source, createGunzip(), parser, ignore)
  else pipeline(source, parser, ignore)

  const skipped: FileRow[] = []
  parser.on('skip', (error: CsvError) => {
    const line: unknown = error['lines']
    skipped.push({ line: Number(line), cells: null, problem: error.message })
  })
  const records = parser[Symbol.asyncIterator]()
  const first = await records.next()
  if (first.done === true) throw new Error(`${file} is empty`)
  const header = Row.parse(first.value).cells.map((name) => name.trim())
  return {
    header,
    packs: (most) =>
      packsOf({ [Symbol.asyncIterator]: () => records }, header.length, skipped, most),
    progress: () => source.bytesRead / Math.max(1, size),
  }
}

/** Errors of the pipeline are thrown by the parser's iterator. */
function ignore(): void {}

async function* packsOf(
  records: AsyncIterable<unknown>,
  width: number,
  skipped: FileRow[],
  size: number,
): AsyncGenerator<FileRow[]> {
  let pack: FileRow[] = []
  for await (const record of records) {
    // The parser is ahead of its reader, so these rows may be reported slightly too early.
    pack.push(...skipped.splice(0))
    const { line, cells } = Row.parse(record)
    const problem =
      cells.length === width ? null : `has ${cells.length} cells where the header has ${width}`
    pack.push({ line, cells, problem })
    if (pack.length >= size) {
      yield pack
      pack = []
    }
  }
  pack.push(...skipped.splice(0))
  if (pack.length > 0) yield pack
}

async function isGzip(file: string): Promise<boolean> {
  const handle = await open(file)
  try {
    const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0)
    return buffer[0] === 0x1f && buffer[1] === 0x8b
  } finally {
    await handle.close()
  }
}
