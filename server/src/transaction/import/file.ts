import { type CsvFile, openCsv } from '../../values/csv.ts'
import { type Mapping, type Reader, readerFor } from './mapping.ts'

export type OpenFile = CsvFile & { reader: Reader }

/**
 * Opens a CSV file and creates the reader for its columns.
 * @throws Error if the file cannot be read, is empty, or lacks a column of the mapping
 */
export async function openFile(file: string, mapping: Mapping): Promise<OpenFile> {
  const opened = await openCsv(file, mapping)
  return { ...opened, reader: readerFor(mapping, opened.header) }
}
