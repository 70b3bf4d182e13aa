import { addDays, addMonths, daysBetween, endOfMonth } from '@tillside/contract/rules/day'
import {
  type Decimal,
  decimalText,
  floor,
  minus,
  plainText,
  rounded,
  times,
} from '@tillside/contract/rules/decimal'
import { worth } from '@tillside/contract/rules/exchange'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { statusSql } from '../coupon/coupon.ts'
import { statement } from '../database/database.ts'
import { burnOrder, hasExpired as hasExpiredSql, isAlive } from '../points/lots.ts'
import { hasExpired, inBurnOrder } from '../points/replay/life.ts'
import { todaySql } from '../database/reads/today.ts'
import { windowStart } from '../tier/window.ts'
import { type Shop, testShop } from './factories/shop.ts'

// Where SQL repeats a rule of the contract, both give the same answer to 10,000 random cases.

const cases = 10_000

let shop: Shop
beforeAll(async () => {
  shop = await testShop()
})
afterAll(() => shop.close())

/**
 * Answers of an expression over the columns `a`, `b`, … of random cases, as text.
 * @param types of the columns
 */
async function answersOf(
  expression: string,
  types: readonly string[],
  inputs: readonly (readonly (string | number | boolean | null)[])[],
): Promise<(string | null)[]> {
  const names = types.map((_, index) => 'abcdef'.charAt(index))
  const arrays = types.map((type, index) => `$${index + 1}::${type}[]`)
  const read = statement(
    `select (${expression})::text as answer
     from unnest(${arrays.join(', ')}) with ordinality as t (${names.join(', ')}, place)
     order by place`,
    z.object({ answer: z.nullable(z.string()) }),
  )
  const columns = types.map((_, index) => inputs.map((input) => input[index] ?? null))
  const rows = await shop.database.reading(shop.id, (tx) => tx.all(read, columns))
  return rows.map(({ answer }) => answer)
}

/** So many random values; a run that fails names its seed. */
function sample<T>(arbitrary: fc.Arbitrary<T>): { seed: number; values: T[] } {
  const seed = Number(process.env['SQL_RULES_SEED'] ?? Date.now() % 2 ** 31)
  return { seed, values: fc.sample(arbitrary, { numRuns: cases, seed }) }
}

async function expectSame<T>(
  arbitrary: fc.Arbitrary<T>,
  [expression, ...types]: readonly [string, ...string[]],
  input: (value: T) => readonly (string | number | boolean | null)[],
  rule: (value: T) => string | null,
): Promise<void> {
  const { seed, values } = sample(arbitrary)
  const answers = await answersOf(expression, types, values.map(input))
  const different = values.flatMap((value, index) => {
    const [sql = null, expected] = [answers[index], rule(value)]
    return sql === expected ? [] : [{ input: input(value), sql, expected }]
  })
  expect(different.slice(0, 3), `seed ${seed}`).toEqual([])
  expect(answers).toHaveLength(cases)
}

const numbers: fc.Arbitrary<Decimal> = fc.record({
  units: fc.oneof(
    fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }),
    fc.bigInt({ min: -2000n, max: 2000n }),
  ),
  scale: fc.integer({ min: 0, max: 6 }),
})
const days = fc
  .date({ min: new Date('1890-01-01'), max: new Date('2110-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))

describe('numbers', () => {
  test('round half away from zero', () =>
    expectSame(
      fc.tuple(numbers, fc.integer({ min: 0, max: 4 })),
      ['round(a, b)', 'numeric', 'int'],
      ([number, scale]) => [decimalText(number), scale],
      ([number, scale]) => decimalText(rounded(number, scale)),
    ))
  test('are taken away from each other', () =>
    expectSame(
      fc.tuple(numbers, numbers),
      ['a - b', 'numeric', 'numeric'],
      ([a, b]) => [decimalText(a), decimalText(b)],
      ([a, b]) => decimalText(minus(a, b)),
    ))
  test('go down to a whole number', () =>
    expectSame(
      fc.tuple(numbers, numbers),
      ['floor(a * b)', 'numeric', 'numeric'],
      ([a, b]) => [decimalText(a), decimalText(b)],
      ([a, b]) => String(floor(times(a, b))),
    ))
  test('are written without zeros at the end', () =>
    expectSame(
      numbers,
      ['trim_scale(a)', 'numeric'],
      (number) => [decimalText(number)],
      (number) => plainText(decimalText(number)),
    ))
  test('points are worth whole cents', () =>
    expectSame(
      fc.tuple(fc.integer({ min: 0, max: 2 ** 40 }), fc.integer({ min: 0, max: 10 ** 6 })),
      ['trunc(a * b, 2)', 'numeric', 'numeric'],
      ([points, value]) => [points, decimalText({ units: BigInt(value), scale: 4 })],
      ([points, value]) => worth(points, decimalText({ units: BigInt(value), scale: 4 })),
    ))
})

describe('days', () => {
  const moved = fc.tuple(days, fc.integer({ min: -2000, max: 2000 }))
  test('move by months, to the last day of a shorter one', () =>
    expectSame(
      moved,
      ['(a + make_interval(months => b))::date', 'date', 'int'],
      (input) => input,
      ([day, months]) => addMonths(day, months),
    ))
  test('move by days', () =>
    expectSame(
      moved,
      ['a + b', 'date', 'int'],
      (input) => input,
      ([day, count]) => addDays(day, count),
    ))
  test('are so many apart', () =>
    expectSame(
      fc.tuple(days, days),
      ['b - a', 'date', 'date'],
      (input) => input,
      ([from, to]) => String(daysBetween(from, to)),
    ))
  test('lie in a month that ends', () =>
    expectSame(
      days,
      [`(date_trunc('month', a::timestamp) + interval '1 month')::date - 1`, 'date'],
      (day) => [day],
      endOfMonth,
    ))
  test('begin the window that a tier is judged by', () =>
    expectSame(
      fc.tuple(days, fc.constantFrom('rolling12Months', 'calendarYear')),
      [windowStart('a', 'b'), 'date', 'text'],
      (input) => input,
      ([day, window]) =>
        window === 'calendarYear' ? `${day.slice(0, 4)}-01-01` : addDays(addMonths(day, -12), 1),
    ))
})

test('a coupon ends after its last day, unless it was used', () =>
  expectSame(
    fc
      .tuple(days, fc.integer({ min: -2, max: 2 }), fc.boolean(), fc.boolean())
      .map(([day, ahead, used, voided]) => ({ day, today: addDays(day, ahead), used, voided })),
    [
      `(select ${statusSql('t.b')}
        from (select a as expiry_date, c as used, d as voided_reason) c)`,
      'date',
      'date',
      'boolean',
      'text',
    ],
    ({ day, today, used, voided }) => [day, today, used, voided ? 'lost' : null],
    ({ day, today, used, voided }) =>
      used ? 'USED' : voided || daysBetween(today, day) < 0 ? 'EXPIRED' : 'ISSUED',
  ))

describe('lots of points', () => {
  // Few values, so that many lots have the same expiry and the same time.
  const expiresOn = fc.option(fc.constantFrom('2026-01-31', '2026-02-01', '2026-02-28'))
  const lot = fc.record({
    id: fc.uuid(),
    expiresOn,
    earnedAt: fc.integer({ min: 0, max: 3 }),
    points: fc.constant(1),
    activeFrom: fc.constant('2026-01-01'),
  })

  test('burn in one order', () =>
    expectSame(
      fc.tuple(lot, lot),
      [
        `(select lot_id from (values (a, b, c), (d, e, f)) as l (expires_on, earned_at, lot_id)
          order by ${burnOrder('l.')} limit 1)`,
        'date',
        'int',
        'uuid',
        'date',
        'int',
        'uuid',
      ],
      (lots) => lots.flatMap(({ expiresOn: day, earnedAt, id }) => [day, earnedAt, id]),
      (lots) => lots.toSorted(inBurnOrder)[0]?.id ?? null,
    ))
  test('expire after their last day', () =>
    expectSame(
      fc.tuple(expiresOn, days),
      [
        `(select ${isAlive('t.b', 'l.')} || ' ' || coalesce(${hasExpiredSql('t.b', 'l.')}, false)
          from (select a as expires_on) l)`,
        'date',
        'date',
      ],
      (input) => input,
      ([last, day]) =>
        `${!hasExpired({ expiresOn: last }, day)} ${hasExpired({ expiresOn: last }, day)}`,
    ))
})

test('a company’s day is that of its time zone', () =>
  expectSame(
    fc.tuple(
      fc.integer({ min: 946_684_800, max: 4_102_444_800 }),
      fc.constantFrom('Asia/Hong_Kong', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Kiritimati'),
    ),
    [
      todaySql('c')
        .replace('now()', 'to_timestamp(a)')
        .replace('c.clock_ahead', "interval '0'")
        .replace('c.time_zone', 'b'),
      'float8',
      'text',
    ],
    (input) => input,
    ([seconds, timeZone]) =>
      new Intl.DateTimeFormat('sv-SE', { timeZone }).format(new Date(seconds * 1000)),
  ))
