import { describe, expect, test } from 'vitest'
import { rememberMembers } from './key.ts'

describe('the memory of members', () => {
  test('keeps those that were used last', () => {
    const known = rememberMembers(2)('epoch')
    known.learn('A', '1')
    known.learn('B', '2')
    expect(known.recall('A')).toBe('1')
    known.learn('C', '3')
    expect(['A', 'B', 'C'].map((code) => known.recall(code))).toEqual(['1', undefined, '3'])
  })

  test('keeps each for its epoch, and forgets one for good', () => {
    const memory = rememberMembers()
    memory('first').learn('A', '1')
    expect([memory('first').recall('A'), memory('second').recall('A')]).toEqual(['1', undefined])
    const known = memory('first')
    expect([known.forget(), known.recall('A'), known.forget()]).toEqual([false, '1', true])
    expect(memory('first').recall('A')).toBeUndefined()
  })
})
