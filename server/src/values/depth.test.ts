import { expect, test } from 'vitest'
import { isTooDeep } from './depth.ts'

test.each([
  ['nothing', '', false],
  ['a value', '7', false],
  ['as deep as may be', '['.repeat(32), false],
  ['one deeper', '['.repeat(33), true],
  ['objects', '{"a":'.repeat(33), true],
  ['a mixture', '{"a":['.repeat(17), true],
  ['closed in between', '[]'.repeat(100), false],
  ['brackets in a text', JSON.stringify('['.repeat(100)), false],
  ['a text that ends in a backslash', `["\\\\",${'['.repeat(33)}`, true],
  ['a quote in a text', `["\\"${'['.repeat(100)}"]`, false],
  ['a text without an end', `"${'['.repeat(100)}`, false],
  ['a key with brackets', `{"${'{'.repeat(100)}":1}`, false],
])('%s', (_what, text, deep) => expect(isTooDeep(text)).toBe(deep))
