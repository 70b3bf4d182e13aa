import type { TierStanding } from '@tillside/contract/tier'
import { describe, expect, test } from 'vitest'
import { tierProgress, tierStops, tierTone } from './progress.ts'

const today = '2026-11-20'
const green: TierStanding = {
  code: 'green',
  name: 'Green',
  level: 2,
  gradeSpend: '2010.00',
  startDate: '2026-01-01',
  expiryDate: '2026-12-31',
  nextTier: { code: 'gold', name: 'Gold', threshold: '3250.00' },
  gapToNextTier: '1240.00',
  gapToRenew: '0.00',
  endedOn: null,
}
const top = { nextTier: null, gapToNextTier: null }
const progress = (over: Partial<TierStanding>) => tierProgress({ ...green, ...over }, today)

describe('the main number', () => {
  test('is the amount missing for the next tier', () => {
    const { hero, bar } = progress({})
    expect(hero).toEqual({ kind: 'toNext', gap: '1240.00', tier: 'Gold' })
    expect(bar).toEqual({ spent: '2010.00', target: '3250.00', share: 0.6184 })
  })

  test.each(['0.00', '-12.00'])('with a gap of %s, says that the tier is reached', (gap) => {
    expect(progress({ gapToNextTier: gap })).toMatchObject({
      hero: { kind: 'ready', tier: 'Gold' },
      bar: null,
    })
  })

  test('without a gap, is omitted with the bar', () =>
    expect(progress({ gapToNextTier: null })).toEqual({
      hero: { kind: 'plain' },
      bar: null,
      renew: null,
    }))

  test('on the highest tier, is the amount that keeps it, shown once', () =>
    expect(progress({ ...top, gapToRenew: '840.00' })).toEqual({
      hero: { kind: 'toStay', gap: '840.00' },
      bar: { spent: '2010.00', target: '2850.00', share: 0.7052 },
      renew: null,
    }))

  test.each([null, '0.00'])('on the highest tier with %s to renew, is the tier itself', (gap) =>
    expect(progress({ ...top, gapToRenew: gap })).toMatchObject({
      hero: { kind: 'top' },
      bar: null,
    }),
  )
})

describe('the renewal', () => {
  test.each([
    ['2026-12-31', true],
    ['2026-11-20', true],
    ['2027-02-18', true],
    ['2027-02-19', false],
    ['2026-11-19', false],
    ['0000-00-00', false],
    [null, false],
  ])('with expiry %s, is shown: %s', (expiryDate, spoken) => {
    const { renew } = progress({ gapToRenew: '840.00', expiryDate })
    expect(renew).toEqual(spoken ? { gap: '840.00', by: expiryDate } : null)
  })

  test('already earned, is omitted', () =>
    expect(progress({ gapToRenew: '0.00' }).renew).toBeNull())
})

test('returns higher than sales leave the bar empty', () =>
  expect(progress({ gradeSpend: '-50.00' }).bar?.share).toBe(0))

describe('the ladder', () => {
  const tiers = [
    { code: 'associate', name: 'Associate', threshold: '0.00' },
    { code: 'green', name: 'Green', threshold: '1000.00' },
    { code: 'gold', name: 'Gold', threshold: '3250.00' },
    { code: 'diamond', name: 'Diamond', threshold: '10000.00' },
  ]

  test('is filled behind the member, and partly ahead', () =>
    expect(tierStops(tiers, green).map(({ position, covered }) => [position, covered])).toEqual([
      ['passed', 1],
      ['current', 0.4488],
      ['future', 0],
      ['future', 0],
    ]))

  test('ends at the highest tier', () =>
    expect(tierStops(tiers, { ...green, ...top, code: 'diamond' }).at(-1)).toMatchObject({
      position: 'current',
      covered: 0,
    }))

  test('does not show the member if their tier is not in the list', () => {
    const stops = tierStops(tiers, { ...green, code: 'founder' })
    expect(new Set(stops.map(({ position }) => position))).toEqual(new Set(['future']))
  })
})

test('an unknown tier gets its colour from its rank', () => {
  expect(tierTone('gold', 0)).toBe('brass')
  expect(tierTone('Silver', 1)).toBe('pine')
  expect(tierTone('Founder', 9)).toBe('stone')
  expect(tierTone('Newcomer', -1)).toBe('stone')
})
