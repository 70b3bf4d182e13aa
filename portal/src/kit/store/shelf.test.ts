import { afterEach, expect, test, vi } from 'vitest'
import { deviceShelf } from './shelf.ts'

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

test('what has no room is kept for this page, and the older value is not left behind', () => {
  const small = storage(3)
  vi.stubGlobal('localStorage', small)
  deviceShelf.setItem('a', 'old')
  expect(small.kept.get('a')).toBe('old')
  deviceShelf.setItem('a', 'longer')
  expect(deviceShelf.getItem('a')).toBe('longer')
  expect(deviceShelf.names()).toContain('a')
  expect(small.kept.has('a')).toBe(false)
  deviceShelf.setItem('a', 'new')
  expect(small.kept.get('a')).toBe('new')
  deviceShelf.removeItem('a')
  expect(deviceShelf.getItem('a')).toBeNull()
})

test('a browser that forbids storage is no reason to fail', () => {
  // There is no localStorage here at all: touching it throws, as where it is forbidden.
  expect(deviceShelf.getItem('b')).toBeNull()
  deviceShelf.setItem('b', 'text')
  expect(deviceShelf.getItem('b')).toBe('text')
  expect(deviceShelf.names()).toContain('b')
  deviceShelf.removeItem('b')
  expect(deviceShelf.getItem('b')).toBeNull()
})
