import { expect, test } from 'vitest'
import { scanGuard } from './scanGuard.ts'

function type(guard: ReturnType<typeof scanGuard>, keys: string, at: number, gap: number) {
  return keys.split('').map((key, i) => guard(key === '⏎' ? 'Enter' : key, at + i * gap))
}

test('the Enter at the end of a scan is the scanner’s', () => {
  const answers = type(scanGuard(0), '884200917735⏎', 5000, 10)
  expect(answers.at(-1)).toBe('scanner')
})

test('an Enter pressed by hand is a person’s, even after typing', () => {
  expect(type(scanGuard(0), '1200⏎', 5000, 120).at(-1)).toBe('person')
  expect(scanGuard(0)('Enter', 5000)).toBe('person')
})

test('an Enter right after opening belongs to the previous scan', () => {
  const guard = scanGuard(1000)
  expect(guard('Enter', 1399)).toBe('scanner')
  expect(guard('Enter', 1400)).toBe('person')
})

test('Escape and Tab are always passed on', () => {
  const guard = scanGuard(1000)
  expect(guard('Escape', 1010)).toBe('person')
  expect(guard('Tab', 1020)).toBe('person')
})
