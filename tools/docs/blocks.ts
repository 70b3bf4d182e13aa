import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../setup.mjs'

// The command blocks of the pages: fenced blocks of the languages `sh` and `sql`. The words after
// the language say how the test treats a block; a reader does not see them:
//   not-run: <reason>   cannot run in a test; its commands are only checked
//   serves              runs until the session ends; ready when it has printed the result
//   chain               for the second way of installing, run after the others
//   refused             the server refuses the request: curl ends with 22

/** The text or the JSON that a page prints after a block. */
export type Result = { line: number; language: 'text' | 'json'; text: string }

export type Block = {
  page: string
  /** Line of the first command, from 1. */
  line: number
  language: 'sh' | 'sql'
  notRun: string | null
  serves: boolean
  chain: boolean
  refused: boolean
  text: string
  result: Result | null
}

/** One command of a block, with its line in the page. */
export type Command = { line: number; text: string }

/** The pages that the tests read: all Markdown except the decisions, which are history. */
export const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'AGENTS.md',
  ...markdownIn('docs'),
  ...markdownIn('ops'),
]

function markdownIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md') && !file.startsWith('decisions'))
    .map((file) => `${folder}/${file}`)
    .toSorted()
}

export function textOf(page: string): string {
  return readFileSync(join(root, page), 'utf8')
}

type Fence = { line: number; words: string; text: string }

/** Fenced blocks as CommonMark defines them, also indented in a list item. */
function fencesOf(text: string): Fence[] {
  const lines = text.split('\n')
  const fences: Fence[] = []
  let open: (Fence & { indent: string; mark: string; body: string[] }) | null = null
  for (const [index, line] of lines.entries()) {
    const [, indent = '', mark = '', words = ''] = /^( *)(`{3,}|~{3,})(.*)$/.exec(line) ?? []
    if (open === null && mark !== '') {
      open = { line: index + 2, words: words.trim(), text: '', indent, mark, body: [] }
    } else if (open !== null && mark.startsWith(open.mark) && words.trim() === '') {
      fences.push({ line: open.line, words: open.words, text: open.body.join('\n') })
      open = null
    } else if (open !== null) {
      open.body.push(line.startsWith(open.indent) ? line.slice(open.indent.length) : line)
    }
  }
  if (open !== null) throw new Error(`a block is not closed: line ${open.line}`)
  return fences
}

/** The command blocks of a page, each with the result that the page prints after it. */
export function blocksOf(page: string): Block[] {
  const blocks: Block[] = []
  for (const { line, words, text } of fencesOf(textOf(page))) {
    const [language = '', ...rest] = words.split(' ')
    const options = rest.join(' ')
    const last = blocks.at(-1)
    if (language === 'text' || language === 'json') {
      if (last !== undefined && last.result === null) last.result = { line, language, text }
    } else if (language === 'sh' || language === 'sql') {
      const notRun = /^not-run: (.+)$/.exec(options)?.[1] ?? null
      const known = notRun !== null || ['', 'serves', 'chain', 'refused'].includes(options)
      if (!known) throw new Error(`${page}:${line}: unknown words after ${language}: ${options}`)
      const [serves, chain] = [options === 'serves', options === 'chain']
      const refused = options === 'refused'
      blocks.push({ page, line, language, notRun, serves, chain, refused, text, result: null })
    } else if (/^(bash|shell|console|zsh|)$/.test(language)) {
      throw new Error(`${page}:${line}: write sh, text or another language after the fence`)
    }
  }
  return blocks
}

/** Splits a block into complete commands of bash, without comments on lines of their own. */
export function commandsOf(block: Block): Command[] {
  const commands: Command[] = []
  let open: Command | null = null
  for (const [index, line] of block.text.split('\n').entries()) {
    if (open === null && /^\s*(#|$)/.test(line)) continue
    open =
      open === null
        ? { line: block.line + index, text: line }
        : { line: open.line, text: `${open.text}\n${line}` }
    if (!isComplete(open.text)) continue
    commands.push(open)
    open = null
  }
  if (open !== null) throw new Error(`${block.page}:${open.line}: bash reads no complete command`)
  return commands
}

function isComplete(text: string): boolean {
  if (text.endsWith('\\')) return false
  // An unfinished here-document is only a warning.
  const { status, stderr } = spawnSync('bash', ['-n'], { input: text, encoding: 'utf8' })
  return status === 0 && stderr === ''
}
