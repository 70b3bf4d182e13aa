import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const file = join(import.meta.dirname, '../results.json')

/** One figure; `better` says on which side of the target it should lie. */
export type Figure = {
  name: string
  value: number
  unit: string
  target?: number
  better?: 'more' | 'less'
  /** What it was worked out from. */
  from?: Record<string, number>
}

/** `short` is for CI: less of everything, in a minute or so. */
export type Form = 'normal' | 'short'

const figures: Figure[] = []

/** Prints a figure as a line of the table, with whether it reached what was wanted. */
export function tell(figure: Figure): void {
  figures.push(figure)
  const { name, value, unit, target, from } = figure
  const aim = target === undefined ? '' : `${figure.better === 'less' ? '≤' : '≥'} ${target}`
  const parts = Object.entries(from ?? {}).map(([what, n]) => `${what} ${rounded(n)}`)
  const line = [
    name.padEnd(44),
    `${rounded(value)} ${unit}`.padStart(16),
    aim.padStart(8),
    verdict(figure).padStart(8),
    parts.join(', '),
  ]
  say(line.join('  ').trimEnd())
}

/** Keeps every figure beside the program, where git does not look. */
export async function keepFigures(): Promise<void> {
  const at = new Date().toISOString()
  await writeFile(file, `${JSON.stringify({ at, figures }, null, 2)}\n`)
  const missed = figures.filter((figure) => verdict(figure) === 'MISSED')
  say(`${figures.length} figures in bench/results.json, ${missed.length} missed their target`)
}

export function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

function verdict({ value, target, better = 'more' }: Figure): string {
  if (target === undefined) return ''
  return (better === 'more' ? value >= target : value <= target) ? 'reached' : 'MISSED'
}

function rounded(n: number): string {
  return n >= 100 ? n.toFixed(0) : n.toFixed(n >= 10 ? 1 : 2)
}
