import { expect, test } from 'vitest'
import { changedFields, describe } from './difference.ts'

function shown(from: Record<string, unknown>, to: Record<string, unknown>): string[] {
  const fields = changedFields(from, to)
  const words = describe({ action: 'change', noun: 'company', key: 'aurora', fields })
  return words.replace('change company aurora: ', '').split(', ')
}

const promotion = (id: string, multiplier: string) => ({ id, award: { multiplier }, skus: null })
const long = 'The quick brown fox jumps over the lazy dog. '.repeat(400)

test('each changed value is shown, also deep inside long lists', () => {
  const promotions = Array.from({ length: 40 }, (_, n) => promotion(`P${n}`, '2'))
  const changed = promotions.map((one) => (one.id === 'P33' ? promotion('P33', '3') : one))
  const rules = { perUnit: '1', promotions }
  expect(
    shown(
      { points: rules, languages: ['en-US', 'zh-CN'] },
      {
        points: { ...rules, promotions: [promotion('NEW', '2'), ...changed.slice(1)] },
        languages: ['zh-CN', 'en-US', 'zh-TW'],
      },
    ),
  ).toEqual([
    'points.promotions.P0 {"id":"P0","award":{"multiplier":"2"},"skus":null} → nothing',
    'points.promotions.NEW nothing → {"id":"NEW","award":{"multiplier":"2"},"skus":null}',
    'points.promotions.P33.award.multiplier "2" → "3"',
    'languages nothing → "zh-TW"',
    'order of languages en-US zh-CN → zh-CN en-US',
  ])
})

test('of a long text, the part that differs is shown', () => {
  const [line = ''] = shown({ body: `${long}old${long}` }, { body: `${long}new${long}` })
  expect(line).toContain(' old')
  expect(line).toContain(' new')
  expect(line.length).toBeLessThan(150)
})

test('lists with equal elements, and values of another kind, are shown as a whole', () => {
  expect(shown({ list: [1, 1], exchange: null }, { list: [1], exchange: { minimum: 1 } })).toEqual([
    'list [1,1] → [1]',
    'exchange null → {"minimum":1}',
  ])
})
