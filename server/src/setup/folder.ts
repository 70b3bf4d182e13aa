import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { isMap, isScalar, LineCounter, parseDocument, type Document } from 'yaml'
import * as z from 'zod/mini'
import { Definition } from '../company/definition.ts'
import { checkDefinition } from './checks.ts'
import type { Finding } from './form-checks.ts'
import { checkLogo } from './logo.ts'

/** A company's folder, read and validated. */
export type Source = {
  definition: Definition
  /** SVG text. */
  logo: string
  /** Of the folder; null: not from a folder, so the stored checksum remains. */
  checksum: string | null
}

/** One problem in company.yaml with its position. Lines and columns begin at 1. */
export type Problem = { line: number; column: number; field: string; message: string }

/** The problems of a folder; the message names each line and field. */
export class FolderError extends Error {
  readonly problems: Problem[]
  constructor(file: string, problems: Problem[]) {
    const lines = problems.map(
      (p) => `${file}:${p.line}:${p.column} ${p.field === '' ? '' : `${p.field}: `}${p.message}`,
    )
    super(lines.join('\n'))
    this.problems = problems
  }
}

/**
 * Reads `<folder>/company.yaml` and its logo.
 * @throws FolderError with all problems, in the order of the lines
 */
export async function readFolder(folder: string): Promise<Source> {
  const file = join(folder, 'company.yaml')
  const text = await readFile(file, 'utf8').catch(() => {
    throw new Error(`${file} does not exist or cannot be read`)
  })
  const counter = new LineCounter()
  const document = parseDocument(text, { lineCounter: counter })
  const fail = (problems: Problem[]): never => {
    throw new FolderError(file, problems)
  }
  const [wrong] = document.errors
  if (wrong !== undefined) {
    const { line, col } = counter.linePos(wrong.pos[0])
    fail([{ line, column: col, field: '', message: wrong.message.split('\n')[0] ?? 'unreadable' }])
  }
  const content: unknown = document.toJS()
  const parsed = Definition.safeParse(content, { error: z.locales.en().localeError })
  const findings = parsed.success
    ? [
        ...checkDefinition(parsed.data, basename(folder)),
        ...(await checkLogo(folder, parsed.data.logo)),
      ]
    : parsed.error.issues.flatMap((issue) => findingsOf(issue, content))
  if (!parsed.success || findings.length > 0) {
    const problems = findings.map((finding) => locate(finding, document, counter))
    return fail(problems.sort((a, b) => a.line - b.line || a.column - b.column))
  }
  return {
    definition: parsed.data,
    logo: await readFile(join(folder, parsed.data.logo), 'utf8'),
    checksum: await checksumOf(folder),
  }
}

/** A hash of the names and contents of all files in the folder. */
export async function checksumOf(folder: string): Promise<string> {
  const hash = createHash('sha256')
  for (const name of (await readdir(folder)).sort()) {
    hash.update(`${name}\0`).update(await readFile(join(folder, name)))
  }
  return hash.digest('hex')
}

function findingsOf(issue: z.core.$ZodIssue, content: unknown): Finding[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: [...issue.path, key],
      message: 'is not a known field',
    }))
  }
  if (issue.code === 'invalid_union') {
    return [{ path: issue.path, message: 'has none of the allowed forms' }]
  }
  const value = valueAt(content, issue.path)
  if (value === undefined) return [{ path: issue.path, message: 'is missing' }]
  const isQuotable = issue.code === 'invalid_type' && issue.expected === 'string'
  if (isQuotable && typeof value !== 'object') {
    return [{ path: issue.path, message: 'must be a text: put it in quotes' }]
  }
  return [{ path: issue.path, message: issue.message }]
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined),
    value,
  )
}

/** The position of a field, or of its nearest parent when the field is missing. */
function locate(finding: Finding, document: Document, counter: LineCounter): Problem {
  const place = (offset: number): Problem => {
    const { line, col } = counter.linePos(offset)
    return { line, column: col, field: finding.path.join('.'), message: finding.message }
  }
  for (let length = finding.path.length; length > 0; length--) {
    const parent: unknown = document.getIn(finding.path.slice(0, length - 1), true)
    const key = finding.path[length - 1]
    const named = isMap(parent)
      ? parent.items.find((pair) => isScalar(pair.key) && pair.key.value === key)?.key
      : document.getIn(finding.path.slice(0, length), true)
    const offset = rangeStart(named)
    if (offset !== null) return place(offset)
  }
  return place(rangeStart(document.contents) ?? 0)
}

function rangeStart(node: unknown): number | null {
  if (typeof node !== 'object' || node === null || !('range' in node)) return null
  const { range } = node
  return Array.isArray(range) && typeof range[0] === 'number' ? range[0] : null
}
