import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'

const file = join(import.meta.dirname, '../results.json')

/** One figure; `better` says whether it should be above (`more`) or below (`less`) the target. */
export type Figure = {
  name: string
  value: number
  unit: string
  target?: number
  better?: 'more' | 'less'
  /** The numbers that it was calculated from. */
  from?: Record<string, number>
}

/** `short` is for CI: fewer repetitions, about a minute. */
export type Form = 'normal' | 'short'

const figures: Figure[] = []

/** Prints a figure as a row of the table, and whether it reached its target. */
export function printFigure(figure: Figure): void {
  figures.push(figure)
  const { name, value, unit, target, from } = figure
  const aim = target === undefined ? '' : `${figure.better === 'less' ? '≤' : '≥'} ${target}`
  const parts = Object.entries(from ?? {}).map(([what, n]) => `${what} ${rounded(n)}`)
  say(row(name, `${rounded(value)} ${unit}`, aim, verdict(figure), parts.join(', ')))
}

/** Prints the heading of one part of the table. */
export function begin(part: string): void {
  say(`\n— ${part} (load average ${rounded(loadavg()[0] ?? 0)})`)
}

/** Prints the heading of the table, with machine, commit and the client that sends the requests. */
export function head(form: Form, client: string): void {
  const { machine, commit } = where()
  const run = form === 'short' ? 'Short run' : 'Full run'
  say(`${run} at ${commit} on ${machine}; the client is ${client}`)
  say(row('figure', 'value', 'target', '', 'from'))
}

/** Writes all figures to bench/results.json, which git ignores. */
export async function keepFigures(form: Form, seconds: number): Promise<void> {
  const at = new Date().toISOString()
  const kept = { at, form, seconds: Math.round(seconds), ...where(), load: loadavg(), figures }
  await writeFile(file, `${JSON.stringify(kept, null, 2)}\n`)
  const missed = figures.filter((figure) => verdict(figure) === 'MISSED')
  const took = `${figures.length} figures in ${rounded(seconds / 60)} minutes`
  say(`\n${took}, ${missed.length} missed their target; kept in bench/results.json`)
}

function where(): { machine: string; commit: string } {
  const [first] = cpus()
  const memory = `${Math.round(totalmem() / 1024 ** 3)} GiB`
  const machine = `${cpus().length} × ${first?.model.trim() ?? 'processor'}, ${memory}`
  const asked = spawnSync('git', ['rev-parse', '--short', 'HEAD'], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  })
  return { machine, commit: asked.status === 0 ? asked.stdout.trim() : 'no commit' }
}

function row(name: string, value: string, aim: string, mark: string, parts: string): string {
  const cells = [name.padEnd(52), value.padStart(16), aim.padStart(8), mark.padStart(8), parts]
  return cells.join('  ').trimEnd()
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
