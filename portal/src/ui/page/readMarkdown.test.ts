import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Block, type Inline, readMarkdown } from './readMarkdown.ts'

const words = (parts: readonly Inline[]): string =>
  parts
    .map((part) => {
      if (part.kind === 'text') return part.text
      if (part.kind === 'break') return '↵'
      const inside = words(part.content)
      if (part.kind === 'page') return `<${part.file} ${inside}>`
      return part.kind === 'link' ? `<${part.address} ${inside}>` : `<${part.kind} ${inside}>`
    })
    .join('')

const shape = (blocks: readonly Block[]): unknown[] =>
  blocks.map((block) => {
    if (block.kind === 'paragraph') return words(block.content)
    if (block.kind === 'picture') return [block.file, block.alt]
    if (block.kind === 'heading') return [`h${block.level}`, words(block.content)]
    return [block.ordered ? block.start : '-', ...block.items.map(shape)]
  })

const cases: [name: string, text: string, expected: unknown[]][] = [
  ['paragraphs, and lines in them', 'One\ntwo\r\n\r\nthree', ['One↵two', 'three']],
  ['headings', '# Top\n### Low ###\n#none', [['h1', 'Top'], ['h3', 'Low'], '#none']],
  ['a list', '- a\n- b\n\ntext', [['-', ['a'], ['b']], 'text']],
  ['a numbered list that begins anywhere', '3. a\n4) b', [[3, ['a'], ['b']]]],
  ['a list in a list', '- a\n  1. b\n  2. c\n- d', [['-', ['a', [1, ['b'], ['c']]], ['d']]]],
  ['an item of several lines', '- a\nb\n  c\n\n  d\n\ne', [['-', ['a↵b↵c', 'd']], 'e']],
  [
    'bold and italics',
    '**a *b* c** _d_ __e__',
    ['<strong a <emphasis b> c> <emphasis d> <strong e>'],
  ],
  [
    'marks that mean themselves',
    '2 * 3 * 4, snake_case_name, \\*a\\*',
    ['2 * 3 * 4, snake_case_name, *a*'],
  ],
  ['Chinese beside marks', '請**核對**姓名。', ['請<strong 核對>姓名。']],
  ['a link', '[a **b**](https://example.com/x?y=1)', ['<https://example.com/x?y=1 a <strong b>>']],
  [
    'mail and telephone',
    '[m](mailto:a@b.cd) [t](tel:+85221234567)',
    ['<mailto:a@b.cd m> <tel:+85221234567 t>'],
  ],
  ['another page', '[a](b-c.md)', ['<b-c.md a>']],
  [
    'a picture, on a line of its own and from beside the text',
    'a\n\n![b c](d-1.webp)\n![e](https://example.com/f.webp) ![g](h.webp)',
    ['a', ['d-1.webp', 'b c'], '!<https://example.com/f.webp e> !g'],
  ],
  ['HTML, which is only text', '<img src=x onerror=alert(1)>', ['<img src=x onerror=alert(1)>']],
]

for (const [name, text, expected] of cases) {
  test(name, () => expect(shape(readMarkdown(text))).toEqual(expected))
}

for (const address of [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java&#115;cript:x',
  'data:text/html,x',
  'vbscript:x',
  '//evil.example',
  '/aurora/index',
  'blob:https://a.b/c',
]) {
  test(`${address} is not made a link`, () => {
    expect(shape(readMarkdown(`[a](${address})`))).toEqual([expect.not.stringContaining('<')])
  })
}

const count = (where: string): number => where.split('中').length

test('no word is lost, whatever marks surround it', () => {
  const piece = fc.constantFrom('中', ' ', '\n', '*', '_', '-', '#', '1.', '<', '\\', '](', '[')
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const text = pieces.join('')
      expect(count(JSON.stringify(readMarkdown(text)))).toBe(count(text))
    }),
  )
})

test('a long text of only marks is parsed quickly', () => {
  for (const piece of ['*', '**a ', '_a ', '[', '[a](', '- ', '  - ', '# ', '\n\n- a']) {
    // Processor time, which other work of the machine does not lengthen.
    const begun = process.cpuUsage()
    readMarkdown(piece.repeat(64_000 / piece.length))
    expect(process.cpuUsage(begun).user / 1000, piece).toBeLessThan(500)
  }
})
