import { describe, expect, test } from 'vitest'
import { spacedOut, lossesOf, nearestMark, chartOf, type ChartEntry } from './balanceChart.ts'

const today = '2026-11-20'
const entry = (id: string, day: string, points: number, balance: number): ChartEntry => ({
  id,
  day,
  type: points < 0 ? 100000004 : 100000000,
  points,
  balance,
})
const some = [
  entry('c', '2026-10-01', -200, 1300),
  entry('b', '2026-06-01', 500, 1500),
  entry('a', '2025-01-01', 1000, 1000),
]
const draw = (more: Partial<Parameters<typeof chartOf>[0]> = {}) =>
  chartOf({ entries: some, complete: true, balance: 1300, today, losses: [], ...more })

const many = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    entry(`e${index}`, '2026-11-12', index % 2 === 0 ? 10 : -10, 100),
  )

describe('the past', () => {
  test('covers twelve months back and six months ahead', () => {
    const { from, to, now } = draw()
    expect([from, to]).toEqual(['2025-11-20', '2027-05-20'])
    expect(now).toBeCloseTo(365 / 546, 5)
  })
  test('has steps, without slopes between entries', () => {
    const { past } = draw()
    const steps = past.slice(1).map((corner, index) => {
      const before = past[index]
      return before?.x === corner.x || before?.y === corner.y
    })
    expect(steps.every(Boolean)).toBe(true)
  })
  test('starts with the balance of older entries', () => {
    const { start, past } = draw()
    expect(start).toBe(1000)
    expect(past[0]).toEqual({ x: 0, y: 1000 })
  })
  test('ends today at the balance', () => {
    const { past, now } = draw()
    expect(past.at(-1)).toEqual({ x: now, y: 1300 })
  })
  test('starts at the first loaded entry if older ones are not loaded', () => {
    const { past } = draw({ entries: some.slice(0, 2), complete: false })
    expect(past[0]?.x).toBeGreaterThan(0.3)
    expect(past[0]?.y).toBe(1000)
  })
  test('is a flat line without entries', () => {
    const { past, marks } = draw({ entries: [], balance: 40 })
    expect(new Set(past.map(({ y }) => y))).toEqual(new Set([40]))
    expect(marks).toEqual([])
  })
  test('extends below zero for a negative balance', () => {
    expect(draw({ entries: [entry('x', '2026-09-01', -50, -50)], balance: -50 }).low).toBe(-50)
  })
})

describe('the future', () => {
  const losses = [
    { day: '2026-12-31', points: 300 },
    { day: '2027-03-31', points: 500 },
    { day: '2028-01-31', points: 500 },
  ]
  test('steps down on each expiry day within six months', () => {
    const { future, lost } = draw({ losses })
    expect(future.map(({ y }) => y)).toEqual([1300, 1300, 1000, 1000, 500, 500])
    expect(lost).toHaveLength(2)
    expect(lost.map(({ bottom }) => bottom)).toEqual([1000, 500])
    expect(lost[0]?.end).toBe(lost[1]?.x)
    expect(lost[1]?.end).toBe(1)
  })
  test('ignores expired lots, written off or not', () => {
    expect(draw({ losses: [{ day: '2026-11-19', points: 5 }] }).lost).toEqual([])
    expect(draw({ losses: [{ day: today, points: 5 }] }).lost).toHaveLength(1)
  })
  test('adds lots with the same expiry, and ignores lots without one', () => {
    const lots = [
      { remaining: 5, expiryDate: '2027-01-31' },
      { remaining: 7, expiryDate: '2026-12-31' },
      { remaining: 1, expiryDate: null },
      { remaining: 1, expiryDate: '0000-00-00' },
      { remaining: 2, expiryDate: '2027-01-31' },
      { remaining: 9, expiryDate: '2099-12-31' },
    ]
    expect(lossesOf(lots)).toEqual([
      { day: '2026-12-31', points: 7 },
      { day: '2027-01-31', points: 7 },
    ])
  })
})

describe('the marks', () => {
  test('only uses and returns are drawn', () => {
    expect(draw().marks.map(({ isMarked }) => isMarked)).toEqual([false, true])
    const { marks } = draw({ entries: many(61) })
    expect(marks.some(({ isMarked }) => isMarked)).toBe(true)
    expect(marks.every(({ up, isMarked }) => up !== isMarked)).toBe(true)
  })
  test('the peak is the highest balance of the past, and none without points', () => {
    expect(draw().peak).toMatchObject({ y: 1500 })
    expect(draw({ entries: [], balance: 0 }).peak).toBeNull()
    expect(draw({ entries: [], balance: -50 }).peak).toBeNull()
  })

  test('one per entry, up to sixty', () => {
    expect(draw({ entries: many(60) }).marks).toHaveLength(60)
  })
  test('above sixty, one per week and direction; the line stays exact', () => {
    const { marks, past } = draw({ entries: many(61) })
    expect(marks.map(({ up, ids }) => [up, ids.length])).toEqual([
      [true, 31],
      [false, 30],
    ])
    expect(past).toHaveLength(1 + 61 * 2 + 2)
  })
  test('finds the nearest mark, or none', () => {
    const { marks } = draw()
    expect(marks.map(({ ids }) => ids[0])).toEqual(['b', 'c'])
    expect(nearestMark(marks, 0)).toBe(0)
    expect(nearestMark(marks, 1)).toBe(1)
    expect(nearestMark([], 0.5)).toBe(-1)
  })
})

test('labels that would overlap are omitted', () => {
  const places = [{ x: 0.5 }, { x: 0.55 }, { x: 0.7 }]
  expect(spacedOut(places, 0.45, 0.1).map(({ x }) => x)).toEqual([0.55, 0.7])
})
