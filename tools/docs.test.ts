import { describe, expect, test } from 'vitest'
import { blocksOf, pages } from './docs/blocks.ts'
import { compared } from './docs/output.ts'
import { problemsOfBlock, problemsOfSentences } from './docs/words.ts'

// docs.slow.test.ts and docs.long.test.ts run the blocks.

const blocks = pages.flatMap(blocksOf)
const notRun = blocks.filter((block) => block.notRun !== null)

test('at most a quarter of the command blocks cannot run', () => {
  expect(blocks.length).toBeGreaterThan(25)
  expect(notRun.length).toBeLessThanOrEqual(blocks.length / 4)
})

test.each(notRun.map((block) => [`${block.page}:${block.line}`, block.notRun, block] as const))(
  '%s, which is not run (%s), names programs and options that exist',
  (_place, _reason, block) => {
    expect(problemsOfBlock(block)).toEqual([])
  },
)

test('the commands in the sentences of the pages have options that exist', () => {
  expect(pages.flatMap(problemsOfSentences)).toEqual([])
})

function agrees(text: string, output: string): boolean {
  const { wanted, got } = compared({ line: 1, language: 'text', text }, output)
  return wanted === got
}

describe('a result that a page prints', () => {
  test('agrees with an output of other ids and times', () => {
    expect(agrees('done in 3 s at …', 'done in 41 s at 2026-11-22T10:00:00Z\n')).toBe(true)
    expect(agrees('…\nready', 'one\ntwo\nready\n')).toBe(true)
  })

  test('differs from an output with another word, or with one line more', () => {
    expect(agrees('2 changes', '3 changes\n')).toBe(false)
    expect(agrees('ready', 'ready\nnot\n')).toBe(false)
  })
})
