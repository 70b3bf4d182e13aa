import { pointTypes } from '@tillside/contract/wire/codes'
import { addMonths, hasNoEnd } from '@tillside/contract/rules/day'

// Computes the balance chart apart from the drawing, so that it can be tested. The balance does not
// change between two entries, so the chart has steps; sloping lines would show balances that never
// existed.

export type ChartEntry = {
  id: string
  day: string
  /** A code of `pointTypes`. */
  type: number
  points: number
  balance: number
}
export type Loss = { day: string; points: number }

export type ChartInput = {
  /** Newest first. */
  entries: readonly ChartEntry[]
  /** Whether `entries` are all entries of the member. */
  complete: boolean
  balance: number
  /** The company's day, `YYYY-MM-DD`. */
  today: string
  /** The points that expire on each day unless they are used, soonest first. */
  losses: readonly Loss[]
}

/** `x` from 0 to 1 over the whole range, `y` in points. */
export type Corner = { x: number; y: number }

export type Mark = {
  x: number
  up: boolean
  day: string
  /** The entries of the mark, newest first; several if a week is drawn as one mark. */
  ids: readonly string[]
  balance: number
  /** A use or a return, which the chart marks. */
  isMarked: boolean
}

export type Chart = {
  from: string
  to: string
  /** The position of today. */
  now: number
  past: readonly Corner[]
  future: readonly Corner[]
  /** The areas between today's balance and the remaining one, from each step to the next. */
  lost: readonly { x: number; end: number; top: number; bottom: number; day: string }[]
  marks: readonly Mark[]
  /** The highest balance of the past; null if there was none above zero. */
  peak: Corner | null
  low: number
  high: number
  /** The balance at the left edge of the chart. */
  start: number
}

const monthsBack = 12
const monthsAhead = 6
const marksAtMost = 60

/** The last twelve months, today, and the expiring points of the next six months. */
export function chartOf({ entries, complete, balance, today, losses }: ChartInput): Chart {
  const from = addMonths(today, -monthsBack)
  const to = addMonths(today, monthsAhead)
  const x = (day: string) =>
    clampToRange((dayNumber(day) - dayNumber(from)) / (dayNumber(to) - dayNumber(from)))
  const shown = entries.filter(({ day }) => day >= from).toReversed()
  const [first] = shown
  const start = first === undefined ? balance : first.balance - first.points
  // If older entries are not loaded, the balance before the first one is unknown.
  const known = complete || shown.length < entries.length || first === undefined
  const past = pastOf(shown, { x: known ? 0 : x(first.day), y: start }, x)
  const now = x(today)
  past.push({ x: now, y: past.at(-1)?.y ?? balance }, { x: now, y: balance })
  const ahead = losses.filter(({ day }) => day >= today && day <= to)
  const { future, lost } = aheadOf(ahead, { x: now, y: balance }, x)
  const levels = [...past, ...future].map(({ y }) => y)
  return {
    from,
    to,
    now,
    past,
    future,
    lost,
    marks: shown.length > marksAtMost ? weekly(shown, from, to) : shown.map((e) => mark(e, x)),
    peak: peakOf(past),
    low: Math.min(0, ...levels),
    high: Math.max(1, ...levels),
    start,
  }
}

function peakOf(past: readonly Corner[]): Corner | null {
  const highest = Math.max(...past.map(({ y }) => y))
  return highest > 0 ? (past.find(({ y }) => y === highest) ?? null) : null
}

/** Uses and returns: the entries that a customer asks about. Earnings are the steps of the line. */
const markedTypes = new Set<number>(
  [
    pointTypes.redeemGift,
    pointTypes.redeemCoupon,
    pointTypes.redeemTransaction,
    pointTypes.returned,
    pointTypes.refund,
    pointTypes.cancelGift,
    pointTypes.cancelCoupon,
  ].map(({ code }) => code),
)

type Place = (day: string) => number

function pastOf(shown: readonly ChartEntry[], start: Corner, x: Place): Corner[] {
  const corners = [start]
  let level = start.y
  for (const { day, balance } of shown) {
    corners.push({ x: x(day), y: level }, { x: x(day), y: balance })
    level = balance
  }
  return corners
}

function aheadOf(ahead: readonly Loss[], today: Corner, x: Place) {
  const future: Corner[] = [today]
  let level = today.y
  const lost = ahead.map(({ day, points }, index) => {
    const next = ahead[index + 1]
    future.push({ x: x(day), y: level })
    level -= points
    future.push({ x: x(day), y: level })
    return { x: x(day), end: next ? x(next.day) : 1, top: today.y, bottom: level, day }
  })
  future.push({ x: 1, y: level })
  return { future, lost }
}

function mark({ id, day, type, points, balance }: ChartEntry, x: Place): Mark {
  const isMarked = markedTypes.has(type)
  return { x: x(day), up: points > 0, day, ids: [id], balance, isMarked }
}

/** One mark per week and direction, gains before losses, so that marks do not overlap. */
function weekly(shown: readonly ChartEntry[], from: string, to: string): Mark[] {
  const begin = dayNumber(from)
  const weeks = (dayNumber(to) - begin) / 7
  const groups = Map.groupBy(shown, ({ day, points }) => {
    return `${Math.floor((dayNumber(day) - begin) / 7)} ${points > 0}`
  })
  return [...groups.values()]
    .flatMap((inside) => {
      const last = inside.at(-1)
      if (last === undefined) return []
      const up = last.points > 0
      const week = Math.floor((dayNumber(last.day) - begin) / 7)
      const ids = inside.map(({ id }) => id).toReversed()
      const at = clampToRange((week + (up ? 0.3 : 0.7)) / weeks)
      const isMarked = inside.some(({ type }) => markedTypes.has(type))
      return [{ x: at, up, day: last.day, ids, balance: last.balance, isMarked }]
    })
    .sort((a, b) => a.x - b.x)
}

/** The points that expire on each day; several lots may expire on the same day. */
export function lossesOf(
  lots: readonly { remaining: number; expiryDate: string | null }[],
): Loss[] {
  const sums = new Map<string, number>()
  for (const { remaining, expiryDate } of lots) {
    // A missing date is written with zeros: such points never expire.
    if (expiryDate === null || expiryDate.startsWith('0000') || hasNoEnd(expiryDate)) continue
    sums.set(expiryDate, (sums.get(expiryDate) ?? 0) + remaining)
  }
  return [...sums]
    .map(([day, points]) => ({ day, points }))
    .sort((a, b) => a.day.localeCompare(b.day))
}

/** The index of the mark nearest to a position; -1 if there is none. */
export function nearestMark(marks: readonly Mark[], x: number): number {
  let best = -1
  let distance = Number.POSITIVE_INFINITY
  marks.forEach((one, index) => {
    const away = Math.abs(one.x - x)
    if (away > distance) return
    best = index
    distance = away
  })
  return best
}

/** Days since 1970. */
function dayNumber(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / 86_400_000
}

function clampToRange(x: number): number {
  return Math.min(1, Math.max(0, x))
}

/** The places (in order) at least `distance` from the previous one and from `left`. */
export function spacedOut<T extends { x: number }>(
  places: readonly T[],
  left: number,
  distance: number,
): T[] {
  const kept: T[] = []
  for (const place of places) {
    if (place.x - (kept.at(-1)?.x ?? left) >= distance) kept.push(place)
  }
  return kept
}
