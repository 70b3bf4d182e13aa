// Counts the words and phrases that make our prose hard to read, in comments and in documents.
// `npx node tools/prose.ts` prints the table, and with a folder, such as `server/src/http`, each
// place in it.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/** One run of prose: a comment or a document's paragraph, with the line on which it begins. */
export type Passage = { file: string; line: number; text: string }

/** Each row of the table: its name, and what one occurrence looks like. */
export const patterns: Record<string, RegExp> = {
  'clause with who or what as its subject':
    /(?:^|[.:;!?(–—] (?:and |but |or |so )?)(?:who|what) (?![^.;:]*\?)|\b(?:whoever|whatever)\b/gi,
  'told, tells': /\b(?:told|tells?)\b/gi,
  'nobody, somebody': /\b(?:nobody|somebody)\b/gi,
  'stands, stood': /\b(?:stands?|stood)\b/gi,
  'comes, came': /\b(?:comes?|came)\b/gi,
  beside: /\bbesides?\b/gi,
}

/** How often a pattern may occur in 1,000 words. */
export const maxPerThousand = 0.5

/** The tracked files whose comments and texts are measured, by group. */
export function proseFiles(): Record<string, string[]> {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  const files = listed
    .split('\n')
    .filter((file) => file !== '' && !isFrozen(file) && existsSync(join(root, file)))
  const code = /\.(?:ts|tsx|mjs|css|sql)$/
  const groups = ['contract', 'server', 'portal', 'e2e', 'bench', 'tools']
  return {
    ...Object.fromEntries(
      groups.map((group) => [
        group,
        files.filter((file) => file.startsWith(`${group}/`) && code.test(file)),
      ]),
    ),
    docs: files.filter((file) => file.endsWith('.md') && !file.startsWith('docs/manual/zh')),
  }
}

/** The database stores a checksum of each migration that ran, so their comments cannot change. */
function isFrozen(file: string): boolean {
  return file.startsWith('server/migrations/')
}

/** The prose of one file: whole documents by paragraph, and of programs the comments. */
export function passagesOf(file: string): Passage[] {
  const text = readFileSync(join(root, file), 'utf8')
  return file.endsWith('.md') ? paragraphs(file, text) : comments(file, text)
}

function paragraphs(file: string, text: string): Passage[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, blank).replaceAll(/`[^`\n]*`/g, 'code')
  return [...prose.matchAll(/[^\n](?:.|\n(?!\n))*/g)].map((match) => ({
    file,
    line: lineAt(text, prose, match.index),
    text: match[0].replaceAll(/\s*\n\s*/g, ' '),
  }))
}

/** Successive `//` lines are one comment. */
function comments(file: string, text: string): Passage[] {
  const found = file.endsWith('.sql')
    ? /(?:^[ \t]*--.*\n?)+/gm
    : /\/\*[\s\S]*?\*\/|(?:^[ \t]*\/\/.*\n?)+|(?<=[\s;{(,])\/\/ .*$/gm
  return [...text.matchAll(found)].map((match) => ({
    file,
    line: text.slice(0, match.index).split('\n').length,
    text: match[0]
      .replaceAll(/^[ \t]*(?:\/\/|--|\/\*\*?|\*\/|\*)[ \t]?/gm, '')
      .replaceAll(/\*\/\s*$/g, '')
      .replaceAll(/`[^`\n]*`/g, 'code')
      .replaceAll(/\s*\n\s*/g, ' ')
      .trim(),
  }))
}

function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ')
}

function lineAt(text: string, prose: string, index: number): number {
  // Inline code was shortened, so only the lines are the same in both.
  return text.length === 0 ? 1 : prose.slice(0, index).split('\n').length
}

/** Occurrences of every pattern in one group's files, in 1,000 words. */
export function rates(files: readonly string[]): Record<string, number> {
  const passages = files.flatMap(passagesOf)
  const words = passages.reduce((sum, { text }) => sum + text.split(/\s+/).length, 0)
  return Object.fromEntries(
    Object.entries(patterns).map(([name, pattern]) => {
      const count = passages.reduce((sum, { text }) => sum + [...text.matchAll(pattern)].length, 0)
      return [name, (count * 1000) / Math.max(words, 1)]
    }),
  )
}

function printTable(): void {
  const groups = Object.entries(proseFiles())
  process.stdout.write(
    `${'per 1,000 words'.padEnd(42)}${groups.map(([g]) => g.padStart(9)).join('')}\n`,
  )
  const columns = groups.map(([, files]) => rates(files))
  for (const name of Object.keys(patterns)) {
    const cells = columns.map((column) => (column[name] ?? 0).toFixed(2).padStart(9)).join('')
    process.stdout.write(`${name.padEnd(42)}${cells}\n`)
  }
}

function printPlaces(prefixes: readonly string[]): void {
  const files = Object.values(proseFiles())
    .flat()
    .filter((file) => prefixes.some((prefix) => file.startsWith(prefix)))
  for (const { file, line, text } of files.flatMap(passagesOf)) {
    const found = Object.entries(patterns).filter(([, pattern]) => text.search(pattern) !== -1)
    if (found.length > 0) {
      process.stdout.write(
        `${file}:${line}  [${found.map(([name]) => name).join('; ')}]  ${text}\n`,
      )
    }
  }
}

if (import.meta.main) {
  const prefixes = process.argv.slice(2)
  if (prefixes.length === 0) printTable()
  else printPlaces(prefixes)
}
