import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { parse } from 'csv-parse'
import * as z from 'zod/mini'
import { type Cells, type Mapping, type Reader, readerFor } from './import-mapping.ts'

/** One row as it stands in the file; rows count from 1, below the header. */
export type FileRow = { rowNo: number; cells: Cells | null; problem: string | null }

export type OpenFile = {
  reader: Reader
  /** Each row once, in the file's order, in packs of at most `size`. */
  packs(size: number): AsyncGenerator<FileRow[]>
  /** How much of the file was read, between 0 and 1. */
  progress(): number
}

const Cell = z.array(z.string())

/**
 * Opens a CSV file, gzipped or not (its first bytes tell), and reads its header.
 * @throws Error when it cannot be read, is empty, or lacks a column of the mapping
 */
export async function openFile(file: string, mapping: Mapping): Promise<OpenFile> {
  const { size } = await stat(file).catch(() => {
    throw new Error(`${file} is not there or cannot be read`)
  })
  const source = createReadStream(file)
  const parser = parse({
    delimiter: mapping.delimiter,
    encoding: mapping.encoding,
    bom: true,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    // A quote that is never closed must not gather the rest of the file.
    max_record_size: 1_000_000,
  })
  if (await isGzip(file)) pipeline(source, createGunzip(), parser, ignore)
  else pipeline(source, parser, ignore)

  const skipped: string[] = []
  parser.on('skip', (error: Error) => skipped.push(error.message))
  const records = parser[Symbol.asyncIterator]()
  const first = await records.next()
  if (first.done === true) throw new Error(`${file} is empty`)
  const header = Cell.parse(first.value).map((name) => name.trim())
  return {
    reader: readerFor(mapping, header),
    packs: (most) =>
      packsOf({ [Symbol.asyncIterator]: () => records }, header.length, skipped, most),
    progress: () => source.bytesRead / Math.max(1, size),
  }
}

/** The parser is being read; a failure of what stands before it comes out of it. */
function ignore(): void {}

async function* packsOf(
  records: AsyncIterable<unknown>,
  width: number,
  skipped: string[],
  size: number,
): AsyncGenerator<FileRow[]> {
  let rowNo = 0
  let pack: FileRow[] = []
  const unreadable = () =>
    skipped.splice(0).map((problem) => ({ rowNo: ++rowNo, cells: null, problem }))
  for await (const record of records) {
    pack.push(...unreadable())
    const cells = Cell.parse(record)
    const problem =
      cells.length === width ? null : `has ${cells.length} cells where the header has ${width}`
    pack.push({ rowNo: ++rowNo, cells, problem })
    if (pack.length >= size) {
      yield pack
      pack = []
    }
  }
  pack.push(...unreadable())
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
