import { afterEach, expect, test, vi } from 'vitest'
import { deviceStorage } from './storage.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

function storage(limit: number) {
  const kept = new Map<string, string>()
  return {
    kept,
    getItem: (name: string) => kept.get(name) ?? null,
    removeItem: (name: string) => kept.delete(name),
    setItem(name: string, value: string) {
      if (value.length > limit) throw new DOMException('full', 'QuotaExceededError')
      kept.set(name, value)
    },
  }
}

test('without room, the value is kept in memory and the stored one is removed', () => {
  const small = storage(3)
  vi.stubGlobal('localStorage', small)
  deviceStorage.setItem('a', 'old')
  expect(small.kept.get('a')).toBe('old')
  deviceStorage.setItem('a', 'longer')
  expect(deviceStorage.getItem('a')).toBe('longer')
  expect(deviceStorage.names()).toContain('a')
  expect(small.kept.has('a')).toBe(false)
  deviceStorage.setItem('a', 'new')
  expect(small.kept.get('a')).toBe('new')
  deviceStorage.removeItem('a')
  expect(deviceStorage.getItem('a')).toBeNull()
})

test('works in a browser that forbids storage', () => {
  // Node has no localStorage: accessing it throws, as in a browser that forbids it.
  expect(deviceStorage.getItem('b')).toBeNull()
  deviceStorage.setItem('b', 'text')
  expect(deviceStorage.getItem('b')).toBe('text')
  expect(deviceStorage.names()).toContain('b')
  deviceStorage.removeItem('b')
  expect(deviceStorage.getItem('b')).toBeNull()
})
