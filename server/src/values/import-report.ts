import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { Presets, SingleBar } from 'cli-progress'

/** Rows of a CSV file that could not be brought in, on their way into a file of their own. */
export type RejectedRows = {
  write(cells: readonly (string | number)[]): Promise<void>
  close(): Promise<void>
}

/** The file is made when the first row goes there. */
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

/** A spreadsheet must not take a cell for a formula (OWASP, CSV injection); a number is none. */
function quoted(cell: string): string {
  const isFormula = /^[=+\-@\t\r]/.test(cell) && !/^[+-]\d+(\.\d+)?$/.test(cell)
  const safe = isFormula ? `'${cell}` : cell
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** A bar for people: only when the output is a terminal. */
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
    show(phase: 'reading' | 'recording', done: number): void {
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
