import { postPoints, readPointReport } from '@tillside/contract/integration/points'
import { postTransactions } from '@tillside/contract/integration/transactions'
import { cancelPoints, redeemPoints } from '@tillside/contract/points'
import type { PointReport } from '@tillside/contract/report'
import { addMonths } from '@tillside/contract/rules/day'
import pino from 'pino'
import { adjustmentTypes } from '../../points/adjust.ts'
import { expiryJob } from '../../jobs/expiry.ts'
import { runJob } from '../../jobs/job.ts'
import { type Random, randomOf } from '../../practice/random.ts'
import type { TransactionInput } from '../../transaction/input.ts'
import { call, logIn } from '../factories/company.ts'
import { callWithKey, sendItems, testKey } from '../factories/key.ts'
import { testMember } from '../factories/member.ts'
import { nameOf, receipt } from '../factories/receipt.ts'
import type { Shop } from '../factories/shop.ts'

// Random lives of a few members over many months, through the calls of tills and clerks. Only what
// the calls accept happens; a refused step is a step in which nothing happens.

const silent = pino({ level: 'silent' })
const members = 5

export type Lives = {
  /** The first day of each month lived. */
  months: string[]
  /** The report of a period, as the integration interface answers it. */
  report: (from: string, to: string, by?: PointReport['by']) => Promise<PointReport>
}

/** `steps`: for each month. `gifts`: the ids of the company's gifts. */
export type LifeTerms = { seed: string; count: number; steps: number; gifts: readonly string[] }

/**
 * Lives `count` months from January 2024.
 * @param setClock sets the database's clock, ms since 1970
 * @param onMonth runs shortly after the end of each month
 */
export async function liveMonths(
  s: Shop,
  setClock: (at: number) => Promise<void>,
  { seed, count, steps, gifts }: LifeTerms,
  onMonth: (month: string, lives: Lives) => Promise<void> = async () => {},
): Promise<Lives> {
  const random = randomOf(seed)
  await setClock(Date.parse('2024-01-01T15:00:00Z'))
  const [token, { key }] = await Promise.all([logIn(s), testKey(s)])
  const people = await Promise.all(
    Array.from({ length: members }, () => testMember(s, { registrationDate: '2023-12-01' })),
  )
  const stage = { s, random, token, key, people, gifts, sales: [], spent: [] }
  const months = Array.from({ length: count }, (_, n) => addMonths('2024-01-01', n))
  const lives: Lives = {
    months,
    async report(from, to, by = 'type') {
      const answer = await callWithKey(s, readPointReport, { from, to, by }, key)
      return readPointReport.data.parse(answer.data)
    },
  }

  for (const month of months) {
    const [begin, end] = [month, addMonths(month, 1)].map((day) => Date.parse(`${day}T15:00:00Z`))
    if (begin === undefined || end === undefined) throw new Error('a month without days')
    const after = begin + 2 * 86_400_000
    const moments = Array.from({ length: steps }, () => random.between(0, 999_999) / 1_000_000)
    for (const part of moments.sort((a, b) => a - b)) {
      const at = Math.floor(after + part * (end - after))
      await setClock(at)
      await step(stage, at)
    }
    await setClock(end + 86_400_000)
    await onMonth(month, lives)
  }
  return lives
}

type Stage = {
  s: Shop
  random: Random
  token: string
  key: string
  people: readonly { memberCode: string }[]
  gifts: readonly string[]
  sales: TransactionInput[]
  spent: { memberCode: string; entryId: string }[]
}

async function step(stage: Stage, at: number): Promise<void> {
  const { s, random, key, people } = stage
  const { memberCode } = random.pick(people)
  const storeCode = random.pick(['S1', 'S2', null])
  const luck = random.between(0, 99)
  if (luck < 45 || stage.sales.length === 0) return sell(stage, memberCode, storeCode, at)
  if (luck < 60) return takeBack(stage, storeCode, at)
  if (luck < 82) return spend(stage, memberCode, luck < 75)
  if (luck < 92) {
    const type = random.pick([...adjustmentTypes])
    const points = random.between(1, 500)
    const item = { operationId: `${at}`, memberCode, type, points, reason: 'a step', storeCode }
    await sendItems(s, postPoints, [item], key)
  } else {
    await runJob(s.database, s.id, expiryJob, silent, { now: true })
  }
}

/** A sale; one in four arrives up to twenty days late. */
async function sell(
  { s, random, key, sales }: Stage,
  memberCode: string,
  storeCode: string | null,
  at: number,
): Promise<void> {
  const late = random.chance(25) ? random.between(1, 20) * 86_400_000 : 0
  const occurredAt = new Date(at - late).toISOString()
  const price = `${random.between(1, 400)}.${random.between(10, 99)}`
  const of = { memberCode, occurredAt, storeCode }
  const input = receipt([['TEA', price, random.between(1, 4)]], of)
  sales.push(input)
  await sendItems(s, postTransactions, [input], key)
}

async function takeBack(
  { s, random, key, sales }: Stage,
  storeCode: string | null,
  at: number,
): Promise<void> {
  const sale = random.pick(sales)
  const { memberCode, items } = sale
  const occurredAt = new Date(at).toISOString()
  const of = { memberCode, occurredAt, storeCode, original: nameOf(sale) }
  const input = receipt([['TEA', items[0]?.price ?? '1.00', -1]], of)
  await sendItems(s, postTransactions, [input], key)
}

/** Gets a gift for points, or cancels an earlier one. */
async function spend(
  { s, random, token, gifts, spent }: Stage,
  memberCode: string,
  buys: boolean,
): Promise<void> {
  if (buys) {
    const input = { memberCode, kind: 'gift', giftId: random.pick(gifts), quantity: 1 }
    const answer = await call(s, redeemPoints, input, { token })
    if (answer.code !== 0) return
    spent.push({ memberCode, entryId: redeemPoints.data.parse(answer.data).entry.id })
  } else if (spent.length > 0) {
    await call(s, cancelPoints, { ...random.pick(spent), reason: 'a step' }, { token })
  }
}
