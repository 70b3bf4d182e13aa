// The rules of the two companies of the property test, and dates on which errors are likely.

/** The conditions of a promotion, and its award. */
export type ModelPromotion = {
  id: string
  from: string
  to: string
  store: string | null
  skus: readonly string[] | null
  first: boolean
  /** Points for the sale, or a multiple of the usual points in thousandths. */
  award: { bonus: number } | { thousandths: number }
}

export type ModelTierRule = {
  code: string
  /** In cents. */
  threshold: number
  renew: number
  /** Multiple of the usual points that its members earn, in thousandths. */
  thousandths: number
}

export type ModelRules = {
  timeZone: string
  /** Points for 100 units of money. */
  perHundred: number
  pendingDays: number
  refund: 'clamp' | 'debt'
  expiry: { kind: 'months'; months: number } | { kind: 'fixed'; dates: readonly string[] }
  promotions: readonly ModelPromotion[]
  tiers: readonly ModelTierRule[]
  window: 'rolling12Months' | 'calendarYear'
  validityMonths: number
  atEnd: 'stepDown' | 'recompute'
  /** Exchange rule: `cents` is the value of a point, `percent` the maximum share of the sale. */
  exchange: { minimum: number; maximum: number; increment: number; cents: number; percent: number }
  gifts: Readonly<Record<string, { points: number; limit: number | null }>>
  coupons: Readonly<Record<string, { points: number; limit: number | null; days: number }>>
}

const any = { store: null, skus: null, first: false }

/**
 * The first is in New York and limits returns to the remaining points; the second is in London and
 * allows a negative balance.
 */
export const worlds: readonly ModelRules[] = [
  {
    timeZone: 'America/New_York',
    perHundred: 100,
    pendingDays: 3,
    refund: 'clamp',
    expiry: { kind: 'months', months: 4 },
    promotions: [
      { ...any, id: 'P1', from: '2024-01-31', to: '2024-03-10', award: { thousandths: 2000 } },
      {
        ...any,
        id: 'P2',
        from: '2023-12-01',
        to: '2026-12-31',
        skus: ['B'],
        award: { thousandths: 2500 },
      },
      {
        ...any,
        id: 'P3',
        from: '2023-12-01',
        to: '2026-12-31',
        first: true,
        award: { bonus: 25 },
      },
    ],
    tiers: [
      { code: 'T1', threshold: 0, renew: 0, thousandths: 1000 },
      { code: 'T2', threshold: 60_000, renew: 40_000, thousandths: 1250 },
      { code: 'T3', threshold: 150_000, renew: 120_000, thousandths: 2000 },
    ],
    window: 'rolling12Months',
    validityMonths: 2,
    atEnd: 'stepDown',
    exchange: { minimum: 20, maximum: 400, increment: 10, cents: 2, percent: 50 },
    gifts: { G1: { points: 40, limit: null }, G2: { points: 150, limit: 2 } },
    coupons: { K1: { points: 60, limit: 3, days: 30 }, K2: { points: 15, limit: null, days: 1 } },
  },
  {
    timeZone: 'Europe/London',
    perHundred: 150,
    pendingDays: 0,
    refund: 'debt',
    expiry: { kind: 'fixed', dates: ['02-29', '06-30', '10-27', '12-31'] },
    promotions: [
      { ...any, id: 'P1', from: '2024-02-29', to: '2024-02-29', award: { bonus: 290 } },
      {
        ...any,
        id: 'P2',
        from: '2024-03-31',
        to: '2024-10-27',
        store: 'S2',
        award: { thousandths: 1500 },
      },
      {
        ...any,
        id: 'P3',
        from: '2024-06-30',
        to: '2025-12-31',
        skus: ['A', 'C'],
        award: { bonus: 33 },
      },
    ],
    tiers: [
      { code: 'T1', threshold: 0, renew: 0, thousandths: 1000 },
      { code: 'T2', threshold: 30_000, renew: 30_000, thousandths: 1100 },
      { code: 'T3', threshold: 90_000, renew: 70_000, thousandths: 1333 },
      { code: 'T4', threshold: 200_000, renew: 180_000, thousandths: 3000 },
    ],
    window: 'calendarYear',
    validityMonths: 5,
    atEnd: 'recompute',
    exchange: { minimum: 1, maximum: 1000, increment: 1, cents: 1, percent: 100 },
    gifts: { G1: { points: 30, limit: 1 }, G2: { points: 500, limit: null } },
    coupons: { K1: { points: 100, limit: 2, days: 10 }, K2: { points: 5, limit: null, days: 90 } },
  },
]

/** Month ends, leap days, and daylight saving changes in both time zones. */
export const special =
  '2024-01-31 2024-02-28 2024-02-29 2024-03-01 2024-03-10 2024-03-31 2024-04-30 2024-06-30 \
2024-07-01 2024-10-27 2024-11-03 2024-12-31 2025-02-28 2025-03-01 2025-03-09 2025-03-30 \
2025-06-30 2025-12-31'.split(' ')
/** Minutes of the UTC day: around midnight in both time zones, with and without daylight saving. */
export const minutes = [0, 1, 239, 240, 241, 299, 300, 301, 420, 720, 1379, 1380, 1381, 1439]
