import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { Presets, SingleBar } from 'cli-progress'

/** Writes rejected rows of a CSV file to a file of their own. */
export type RejectedRows = {
  write(cells: readonly (string | number)[]): Promise<void>
  close(): Promise<void>
}

/** The file is created with the first row. */
export function rejectedRows(file: string, header: readonly string[]): RejectedRows {
  let stream: WriteStream | null = null
  return {
    async write(cells) {
      if (stream === null) {
        stream = createWriteStream(file)
        stream.write(lineOf(header))
      }
      const target = stream
      if (!target.write(lineOf(cells))) await once(target, 'drain')
    },
    async close() {
      if (stream === null) return
      stream.end()
      await finished(stream)
    },
  }
}

function lineOf(cells: readonly (string | number)[]): string {
  return `${cells.map((cell) => quoted(String(cell))).join(',')}\n`
}

/**
 * Quotes a cell. A cell that a spreadsheet would run as a formula gets a leading apostrophe (OWASP,
 * CSV injection); a number does not.
 */
function quoted(cell: string): string {
  const isFormula = /^[=+\-@\t\r]/.test(cell) && !/^[+-]\d+(\.\d+)?$/.test(cell)
  const safe = isFormula ? `'${cell}` : cell
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** A progress bar, shown only on a terminal. */
export function progressBar() {
  const bar = process.stdout.isTTY
    ? new SingleBar(
        { format: '{phase} [{bar}] {percentage} %', clearOnComplete: true },
        Presets.rect,
      )
    : null
  let started = false
  return {
    /** @param done between 0 and 1 */
    show(phase: 'reading' | 'recording' | 'placing', done: number): void {
      if (bar === null) return
      if (!started) bar.start(100, 0, { phase })
      started = true
      bar.update(Math.floor(done * 100), { phase: phase.padEnd(9) })
    },
    stop(): void {
      if (started) bar?.stop()
      started = false
    },
  }
}
