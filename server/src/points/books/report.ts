import {
  type Amount,
  type BookLine,
  type Books,
  type PointReport,
  type ReportInput,
} from '@tillside/contract/report'
import { pointTypes } from '@tillside/contract/wire/codes'
import { addMonths } from '@tillside/contract/rules/day'
import { decimal, times } from '@tillside/contract/rules/decimal'
import { moneyText } from '@tillside/contract/rules/money'
import type { FieldReason } from '@tillside/contract/wire/failures'
import type { Settings } from '../../company/definition.ts'
import { decimalsOf } from '../../company/settings.ts'
import type { Transaction } from '../../database/database.ts'
import { type Figure, readFiguresOf } from './figures.ts'
import { lineOf } from './lines.ts'

type Rates = Pick<PointReport, 'pointValue' | 'expectedRedemption'> & {
  /** The decimals of the company's currency. */
  places: number
}

const lines = new Map(Object.entries(lineOf))
const firstDay = '1970-01-01'
const maxMonths = 120

/** A period that no report is made of. */
export type RangeProblem = { path: 'from' | 'to'; reason: FieldReason }

/**
 * The problem of a report's period, or null: before 1970, ends before it begins, ends after today,
 * or longer than ten years.
 * @param today the company's day
 */
export function rangeProblem(
  { from, to }: Pick<ReportInput, 'from' | 'to'>,
  today: string,
): RangeProblem | null {
  if (from < firstDay) return { path: 'from', reason: 'tooSmall' }
  if (to > today) return { path: 'to', reason: 'future' }
  if (to < from) return { path: 'to', reason: 'tooSmall' }
  return to >= addMonths(from, maxMonths) ? { path: 'to', reason: 'tooLarge' } : null
}

/**
 * Reports a company's points for some days: the opening, each type of entry, and the closing, with
 * its differences from the accounts and the lots.
 * @param tx of read-only work
 * @param input a period without a `rangeProblem`
 */
export async function reportPoints(
  tx: Transaction,
  companyId: string,
  input: ReportInput,
  settings: Pick<Settings, 'points' | 'currency'>,
): Promise<PointReport> {
  const figures = await readFiguresOf(tx, companyId, input)
  const pointValue = settings.points.exchange?.pointValue ?? null
  const { expectedRedemption } = settings.points
  const rates = { pointValue, expectedRedemption, places: decimalsOf(settings) }
  const total = booksOf(figures, sumOf(figures, 'opening'), rates)
  const closing = total.closing.points
  const later = sumOf(figures, 'later')
  const outstanding = sumOf(figures, 'outstanding')
  const lotsLater = sumOf(figures, 'remaining') - outstanding
  const inDebt = sumOf(figures, 'debt') + later - lotsLater
  return {
    ...input,
    pointValue,
    expectedRedemption,
    total,
    rows: rowsOf(figures, input, rates),
    outstanding: figures
      .filter((figure) => figure.part === 'outstanding')
      .map(({ key, points: held }) => Object.assign({ month: key }, amountOf(held, rates))),
    inDebt: amountOf(inDebt, rates),
    difference: {
      accounts: closing - (sumOf(figures, 'balance') - later),
      // One wrong lot is a part of both.
      lots: Math.max(Math.abs(closing - (outstanding - inDebt)), differenceOfLots(figures)),
    },
  }
}

/**
 * The points by which the lots differ from the entries that filled and emptied them. Each month of
 * expiry is compared by itself, because a lot that holds too much hides one that holds too little.
 */
function differenceOfLots(figures: readonly Figure[]): number {
  const differences = new Map<string | null, number>()
  for (const { part, key, points } of figures) {
    const sign = part === 'outstanding' ? 1 : part === 'kept' ? -1 : 0
    differences.set(key, (differences.get(key) ?? 0) + sign * points)
  }
  return [...differences.values()].reduce((sum, points) => sum + Math.abs(points), 0)
}

function rowsOf(
  figures: readonly Figure[],
  { from, to, by }: ReportInput,
  rates: Rates,
): PointReport['rows'] {
  const of = (key: string | null) => figures.filter((figure) => figure.key === key)
  if (by === 'type') return []
  if (by === 'store') {
    const parts = figures.filter(({ part }) => ['opening', 'moved', 'forgiven'].includes(part))
    const stores = [...new Set(parts.map((figure) => figure.key))]
    const sorted = stores.sort((a, b) => (a ?? '\uffff').localeCompare(b ?? '\uffff', 'en'))
    return sorted.map((key) =>
      Object.assign({ key }, booksOf(of(key), sumOf(of(key), 'opening'), rates)),
    )
  }
  let opening = sumOf(figures, 'opening')
  return monthsBetween(from, to).map((key) => {
    const books = booksOf(of(key), opening, rates)
    opening = books.closing.points
    return Object.assign({ key }, books)
  })
}

/** The months of a period, `YYYY-MM`. */
export function monthsBetween(from: string, to: string): string[] {
  const months: string[] = []
  for (let day = `${from.slice(0, 7)}-01`; day <= to; day = addMonths(day, 1)) {
    months.push(day.slice(0, 7))
  }
  return months
}

function booksOf(figures: readonly Figure[], opening: number, rates: Rates): Books {
  const moved = Object.entries(pointTypes).map(([type, { code }]) => {
    const own = figures.filter((figure) => figure.part === 'moved' && figure.type === code)
    const entries = own.reduce((sum, figure) => sum + figure.entries, 0)
    return { type, code, entries, points: sumOf(own, 'moved') }
  })
  const closing = moved.reduce((sum, { points }) => sum + points, opening)
  const line = (name: BookLine) => {
    const own = moved.filter(({ type }) => lines.get(type) === name)
    return amountOf(
      own.reduce((sum, { points }) => sum + points, 0),
      rates,
    )
  }
  return {
    opening: amountOf(opening, rates),
    types: moved.map((one) => Object.assign(one, amountOf(one.points, rates))),
    lines: {
      issued: line('issued'),
      takenBack: line('takenBack'),
      redeemed: line('redeemed'),
      expired: line('expired'),
    },
    closing: amountOf(closing, rates),
    forgiven: amountOf(sumOf(figures, 'forgiven'), rates),
  }
}

function sumOf(figures: readonly Figure[], part: Figure['part']): number {
  return figures.reduce((sum, figure) => (figure.part === part ? sum + figure.points : sum), 0)
}

function amountOf(points: number, { pointValue, expectedRedemption, places }: Rates): Amount {
  const money = (share: string | null) => {
    if (pointValue === null || share === null) return null
    const exact = times(times(decimal(String(points)), decimal(pointValue)), decimal(share))
    return moneyText(exact, places)
  }
  return { points, worth: money('1'), expected: money(expectedRedemption) }
}
