import type { TierStanding } from '@tillside/contract/tier'
import { daysBetween } from '@tillside/contract/rules/day'
import { decimal, decimalText, plus, thousandths } from '@tillside/contract/rules/decimal'
import type { TierTone } from '../ui/paper/TierSurface.tsx'

// Computes the content of a tier card apart from the drawing, so that it can be tested.

const tones: readonly TierTone[] = ['stone', 'pine', 'brass', 'midnight']
const knownTones = new Map<string, TierTone>([
  ['associate', 'stone'],
  ['green', 'pine'],
  ['gold', 'brass'],
  ['diamond', 'midnight'],
])

/** The colour of a tier's card: fixed for the four known tiers, otherwise by rank, lowest first. */
export function tierTone(code: string, rank: number): TierTone {
  return knownTones.get(code.toLowerCase()) ?? tones[Math.max(0, rank)] ?? 'stone'
}

export type TierHero =
  | { kind: 'toNext'; gap: string; tier: string }
  | { kind: 'ready'; tier: string }
  | { kind: 'toStay'; gap: string }
  | { kind: 'top' }
  /** The gap is unknown: shows tier and dates only. */
  | { kind: 'plain' }

export type TierProgress = {
  hero: TierHero
  /** Null if there is nothing to measure. */
  bar: { spent: string; target: string; share: number } | null
  /** The amount that keeps the tier; null if not needed, or if the main number already shows it. */
  renew: { gap: string; by: string } | null
}

const renewNoticeDays = 90

/** @param today the company's day, `YYYY-MM-DD` */
export function tierProgress(standing: TierStanding, today: string): TierProgress {
  const hero = heroOf(standing)
  return { hero, bar: barOf(standing, hero), renew: renewOf(standing, hero, today) }
}

function heroOf({ nextTier, gapToNextTier, gapToRenew }: TierStanding): TierHero {
  if (nextTier === null) {
    return isOpen(gapToRenew) ? { kind: 'toStay', gap: gapToRenew } : { kind: 'top' }
  }
  if (gapToNextTier === null) return { kind: 'plain' }
  if (!isOpen(gapToNextTier)) return { kind: 'ready', tier: nextTier.name }
  return { kind: 'toNext', gap: gapToNextTier, tier: nextTier.name }
}

function barOf(standing: TierStanding, hero: TierHero): TierProgress['bar'] {
  if (hero.kind !== 'toNext' && hero.kind !== 'toStay') return null
  const spent = thousandths(standing.gradeSpend) ?? 0n
  const gap = thousandths(hero.gap) ?? 0n
  const whole = () => decimalText(plus(decimal(standing.gradeSpend), decimal(hero.gap)))
  const target = standing.nextTier?.threshold ?? whole()
  return { spent: standing.gradeSpend, target, share: part(spent, spent + gap) }
}

function renewOf(standing: TierStanding, hero: TierHero, today: string): TierProgress['renew'] {
  const { gapToRenew, expiryDate } = standing
  if (hero.kind === 'toStay' || expiryDate === null || !isOpen(gapToRenew)) return null
  const days = daysBetween(today, expiryDate)
  return days >= 0 && days <= renewNoticeDays ? { gap: gapToRenew, by: expiryDate } : null
}

function isOpen(gap: string | null): gap is string {
  return gap !== null && (thousandths(gap) ?? 0n) > 0n
}

/** 0 to 1; 0 if the returns exceed the sales. */
function part(of: bigint, whole: bigint): number {
  if (whole <= 0n) return 0
  const share = Number((of * 10_000n) / whole) / 10_000
  return Math.min(1, Math.max(0, share))
}

export type TierStop = {
  code: string
  name: string
  threshold: string
  position: 'passed' | 'current' | 'future'
  /** How much of the line from this stop to the next is filled, 0 to 1. */
  covered: number
}

type Tier = Pick<TierStop, 'code' | 'name' | 'threshold'>

/**
 * The ladder's stops in the server's order, evenly spaced. If the member's tier is not in the list,
 * all stops are ahead.
 */
export function tierStops(tiers: readonly Tier[], standing: TierStanding): TierStop[] {
  const current = tiers.findIndex((tier) => tier.code === standing.code)
  return tiers.map(({ code, name, threshold }, at) => {
    const position = at < current ? 'passed' : at === current ? 'current' : 'future'
    const covered = at < current ? 1 : at === current ? stretch(threshold, standing) : 0
    return { code, name, threshold, position, covered }
  })
}

function stretch(threshold: string, { gradeSpend, gapToNextTier }: TierStanding): number {
  if (gapToNextTier === null) return 0
  const spent = thousandths(gradeSpend) ?? 0n
  const from = thousandths(threshold) ?? 0n
  return part(spent - from, spent - from + (thousandths(gapToNextTier) ?? 0n))
}
