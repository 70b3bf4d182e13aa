// Parses the part of Markdown that companies' texts and the manual need. The result is a tree of
// values: no text of a company ever becomes HTML.

export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'break' }
  | { kind: 'strong' | 'emphasis'; content: Inline[] }
  | { kind: 'link'; address: string; content: Inline[] }
  /** A relative link to another page of the manual. */
  | { kind: 'page'; file: string; content: Inline[] }

export type Paragraph = { kind: 'paragraph'; content: Inline[] }
export type List = { kind: 'list'; ordered: boolean; start: number; items: Block[][] }
export type Heading = { kind: 'heading'; level: number; content: Inline[] }
/** A picture, on a line of its own. */
export type Picture = { kind: 'picture'; file: string; alt: string }
export type Block = Heading | Paragraph | List | Picture

/** Limits nested lists, because deeper nesting is only used in attacks. */
const deepest = 4

/** Parses headings, paragraphs, lists, bold, italics and links; everything else stays text. */
export function readMarkdown(text: string, depth = 0): Block[] {
  const lines = text.replaceAll(/\r\n?/g, '\n').replaceAll('\t', '    ').split('\n')
  const blocks: Block[] = []
  let at = 0
  while (at < lines.length) {
    const [block, next] = readBlock(lines, at, depth)
    if (block !== null) blocks.push(block)
    at = next
  }
  return blocks
}

/** @returns the block that starts at this line, or null, and the line after it */
function readBlock(lines: readonly string[], at: number, depth: number): [Block | null, number] {
  const line = lines[at] ?? ''
  if (line.trim() === '') return [null, at + 1]
  const heading = headingIn(line)
  if (heading !== null) return [heading, at + 1]
  const picture = pictureIn(line)
  if (picture !== null) return [picture, at + 1]
  if (depth < deepest && markerIn(line) !== null) return readList(lines, at, depth)
  let end = at + 1
  while (end < lines.length && continuesParagraph(lines[end] ?? '')) end += 1
  const paragraph = lines.slice(at, end).map((part) => part.trim())
  return [{ kind: 'paragraph', content: readInline(paragraph.join('\n')) }, end]
}

function headingIn(line: string): Heading | null {
  const found = /^ {0,3}(#{1,6}) +(\S.*)$/.exec(line)
  if (found === null) return null
  const [, marks = '', words = ''] = found
  const text = words.replace(/ +#+ *$/, '').trim()
  return { kind: 'heading', level: marks.length, content: readInline(text) }
}

function pictureIn(line: string): Picture | null {
  const found = /^!\[([^[\]]+)\]\(([a-z0-9-]+\.webp)\) *$/.exec(line)
  if (found === null) return null
  const [, alt = '', file = ''] = found
  return { kind: 'picture', file, alt }
}

function continuesParagraph(line: string): boolean {
  return line.trim() !== '' && headingIn(line) === null && markerIn(line) === null
}

type Marker = { ordered: boolean; start: number; indent: number; width: number }

function markerIn(line: string): Marker | null {
  const found = /^( *)([-*+]|\d{1,9}[.)]) +(?=\S)/.exec(line)
  if (found === null) return null
  const [whole, indent = '', mark = ''] = found
  const ordered = /\d/.test(mark)
  return {
    ordered,
    start: ordered ? Number.parseInt(mark, 10) : 1,
    indent: indent.length,
    width: whole.length,
  }
}

/** A list continues with lines that have its kind of mark, or that are indented below an item. */
function readList(lines: readonly string[], at: number, depth: number): [List, number] {
  const first = markerIn(lines[at] ?? '')
  const items: string[][] = []
  let end = at
  for (; end < lines.length; end += 1) {
    const line = lines[end] ?? ''
    const marker = markerIn(line)
    const setIn = line.length - line.trimStart().length
    const under = setIn > (first?.indent ?? 0)
    if (marker !== null && !under) {
      if (marker.ordered !== first?.ordered) break
      items.push([line.slice(marker.width)])
    } else if (line.trim() === '') {
      // An empty line ends the list unless the next line continues it.
      if (!goesOn(lines[end + 1] ?? '', first)) break
      items.at(-1)?.push('')
    } else if (under) {
      items.at(-1)?.push(line.slice(Math.min(setIn, 2 + (first?.indent ?? 0))))
    } else if (lines[end - 1]?.trim() === '' || headingIn(line) !== null) {
      break
    } else {
      items.at(-1)?.push(line)
    }
  }
  const { ordered = false, start = 1 } = first ?? {}
  const blocks = items.map((item) => readMarkdown(item.join('\n'), depth + 1))
  return [{ kind: 'list', ordered, start, items: blocks }, end]
}

function goesOn(line: string, first: Marker | null): boolean {
  if (line.trim() === '') return false
  const marker = markerIn(line)
  return line.startsWith(' ') || (marker !== null && marker.ordered === first?.ordered)
}

// No alternative looks beyond the next mark of its own kind, so a text of only marks takes linear
// time.
const marks = new RegExp(
  [
    String.raw`\\([!-/:-@[-\x60{-~])`,
    String.raw`\*\*(?=\S)((?:[^*]|\*(?!\*))+)\*\*`,
    String.raw`\*(?=[^\s*])([^*]+)\*`,
    String.raw`(?<![\p{L}\p{N}_])__?(?=[^\s_])([^_]+)__?(?![\p{L}\p{N}_])`,
    String.raw`\[([^[\]]+)\]\(([^()\s]+)\)`,
    String.raw`(\n)`,
  ].join('|'),
  'gu',
)

function readInline(text: string): Inline[] {
  const found: Inline[] = []
  let at = 0
  for (const match of text.matchAll(marks)) {
    if (match.index > at) found.push({ kind: 'text', text: text.slice(at, match.index) })
    at = match.index + match[0].length
    found.push(inlineOf(match))
  }
  if (at < text.length) found.push({ kind: 'text', text: text.slice(at) })
  return found
}

function inlineOf(match: RegExpExecArray): Inline {
  const [whole, escaped, strong, emphasis, line, words, address] = match
  if (escaped !== undefined) return { kind: 'text', text: escaped }
  if (strong !== undefined) return { kind: 'strong', content: readInline(strong) }
  if (emphasis !== undefined) return { kind: 'emphasis', content: readInline(emphasis) }
  if (line !== undefined) {
    const kind = whole.startsWith('__') ? 'strong' : 'emphasis'
    return { kind, content: readInline(line) }
  }
  if (words === undefined) return { kind: 'break' }
  const safe = safeAddress(address ?? '')
  const content = readInline(words)
  if (/^[a-z0-9-]+\.md$/.test(address ?? '')) return { kind: 'page', file: address ?? '', content }
  // A link that is not allowed is shown as text.
  return safe === null ? { kind: 'text', text: words } : { kind: 'link', address: safe, content }
}

const followed = new Set(['https:', 'http:', 'mailto:', 'tel:'])

/**
 * Only absolute addresses outside the portal: no `javascript:`, and no path of the portal itself.
 */
function safeAddress(address: string): string | null {
  if (!URL.canParse(address)) return null
  const { protocol, href } = new URL(address)
  return followed.has(protocol) ? href : null
}
