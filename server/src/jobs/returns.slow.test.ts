import { randomUUID } from 'node:crypto'
import { login } from '@tillside/contract/auth'
import { integrationBase } from '@tillside/contract/integration/endpoint'
import { postTransactions } from '@tillside/contract/integration/transactions'
import { cancelPoints, redeemPoints } from '@tillside/contract/points'
import { addDays } from '@tillside/contract/rules/day'
import type { Endpoint } from '@tillside/contract/wire/endpoint'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import * as z from 'zod/mini'
import { type Database, openDatabase, statement } from '../database/database.ts'
import { password, takesOneRoundTrip } from '../testing/factories/company.ts'
import { todayOf } from '../testing/factories/coupon.ts'
import { itemResult, testKey } from '../testing/factories/key.ts'
import { testMember } from '../testing/factories/member.ts'
import { givePoints } from '../testing/factories/points.ts'
import { type Line, nameOf, receipt } from '../testing/factories/receipt.ts'
import type { Shop } from '../testing/factories/shop.ts'
import { pointRules, testSpendingShop } from '../testing/factories/spending.ts'
import { atLevel } from '../testing/repetition.ts'
import { post, sendUntilAnswered } from '../testing/servers/process.ts'
import { twoServers, watchAtOnce } from '../testing/servers/two.ts'
import type { TransactionInput } from '../transaction/input.ts'
import { expiryJob } from './expiry.ts'
import { runJob } from './job.ts'

// Returns, undos, spending and the expiry job meet at one member, in two server processes. Then the
// same acts are done one after the other with a second member, in the order of the first one's
// ledger: answers, entries and lots must be the same.
const rounds = atLevel({ short: 2, full: 8, long: 40 }, 'RETURN_ROUNDS')

const exchange = { minimum: 1, maximum: 5000, increment: 1, pointValue: '0.01', maxShare: null }
/** Under `clamp` the member always has enough points, so that each return has an entry. */
const gift = { debt: 200, clamp: 1000 } as const
const silent = pino({ level: 'silent' })
const expired = 12

const readEntries = statement(
  `select e.entry_id as id, e.type - 100000000 as type, e.points, e.reverses,
     t.invoice_number as invoice
   from point_entry e left join transaction t using (company_id, transaction_id)
   where e.company_id = $1 and e.member_id = $2 order by e.seq`,
  z.object({
    id: z.string(),
    type: z.int(),
    points: z.int(),
    reverses: z.nullable(z.string()),
    invoice: z.nullable(z.string()),
  }),
)
const readLots = statement(
  `select points, remaining, expires_on from point_lot
   where company_id = $1 and member_id = $2 order by earned_at, expires_on, points, remaining`,
  z.object({ points: z.int(), remaining: z.int(), expires_on: z.nullable(z.string()) }),
)
const Moved = z.object({ entry: z.object({ id: z.string() }) })
const Items = z.object({ items: postTransactions.data.shape.items })

/** The answer to an act. `answer` is the same whenever the act is done after the same others. */
type Answer = { ok: boolean; answer: unknown }
type Person = Awaited<ReturnType<typeof prepare>>

let s: Shop
let key: string
let pools: Database[]
let clients: { address: string; token: string }[]
let turn = 0

describe.each(['debt', 'clamp'] as const)('under %s, in two processes at once,', (policy) => {
  beforeAll(async () => {
    s = await testSpendingShop({ points: { ...pointRules, exchange, refundPolicy: policy } })
    key = (await testKey(s)).key
    pools = [openDatabase(inject('databaseUrl'), 2), openDatabase(inject('databaseUrl'), 2)]
    clients = await Promise.all((await twoServers()).map(logInAt))
  })
  afterAll(async () => {
    await Promise.all(pools.map((pool) => pool.close()))
    await s.close()
  })

  it(`${rounds} members return, undo, spend and lose points as if one by one`, async () => {
    const inOneRoundTrip = [redeemPoints, cancelPoints, postTransactions]
    const answeredAtOnce = new Set<string>()
    // A call that meets another one may take several round trips, so more rounds may be needed.
    const isProven = () => answeredAtOnce.size === (takesOneRoundTrip ? inOneRoundTrip.length : 0)
    for (let round = 0; round < rounds || (!isProven() && round < rounds + 10); round++) {
      const at = new Date().toISOString()
      const person = await prepare(at, gift[policy])
      const atOnce = await watchAtOnce()
      const answers = await race(person)
      const { answered } = await atOnce(inOneRoundTrip)
      answered.forEach((path) => answeredAtOnce.add(path))
      expect(await s.violations()).toEqual([])
      const order = await orderOf(person, answers)
      // Each success is in the ledger once, and nothing else is.
      expect(order.toSorted()).toEqual([...answers.keys()].toSorted())
      const twin = await prepare(at, gift[policy])
      for (const name of order) {
        const { ok, answer } = await actOf(twin, name)()
        expect({ name, ok, answer }).toEqual({ name, ok: true, answer: answers.get(name) })
      }
      await expire(s.database)
      expect(await stateOf(person)).toEqual(await stateOf(twin))
      expect(await s.violations()).toEqual([])
      console.info(`${policy}: ${order.join(', ')}`)
    }
    expect(isProven()).toBe(true)
  }, 120_000)

  it('a sale without a member is returned once, in whatever parts', async () => {
    const at = { memberCode: null }
    const sale = receipt([['A', '10.00', 10]], at)
    expect((await till(sale)).ok).toBe(true)
    const parts = Array.from({ length: 14 }, () =>
      till(receipt([['A', '10.00', -1]], { ...at, original: nameOf(sale) })),
    )
    const refused = (await Promise.all(parts)).filter(({ ok }) => !ok)
    const reason = 'originalReturned netSpend:originalReturned'
    expect(refused.map(({ answer }) => answer)).toEqual([reason, reason, reason, reason])
    expect(await s.violations()).toEqual([])
  })
})

/** How often each act is asked for at once; each of the others once. */
const repeats: Record<string, number> = { whole: 5, all: 3, some: 3, undo: 6, 'undo paying': 2 }
const kinds: Record<string, string> = { all: 'one number', some: 'one number' }
const times = <T>(number: number, one: (n: number) => T): T[] =>
  Array.from({ length: number }, (_, n) => one(n))

/**
 * Does all acts at once while the expiry job runs, and checks how many of them succeed.
 * @returns the answers of those that succeeded
 */
async function race(person: Person): Promise<Map<string, unknown>> {
  const answers = new Map<string, unknown>()
  const tally: Record<string, Record<string, number>> = {}
  const act = async (name: string): Promise<boolean> => {
    const { ok, answer } = await actOf(person, name)()
    if (ok) answers.set(name, answer)
    const of = (tally[kinds[name] ?? name.replace(/ \d+$/, '')] ??= {})
    const result = ok ? 'done' : String(answer)
    of[result] = (of[result] ?? 0) + 1
    return ok
  }
  const asked = [...person.acts.keys()]
    .filter((name) => !name.startsWith('undo spend'))
    .flatMap((name) =>
      times(repeats[name] ?? 1, () => async () => {
        // Two clerks undo a spending at the same time.
        const undo = `undo ${name}`
        if ((await act(name)) && person.acts.has(undo)) await Promise.all([act(undo), act(undo)])
      }),
    )
  const jobs = pools.flatMap((pool) => times(3, () => async () => void (await expire(pool))))
  const all = [...asked, ...jobs].toSorted(() => Math.random() - 0.5)
  await Promise.all(all.map((one) => one()))
  const spent = tally['spend']?.['done'] ?? 0
  const undone = [...answers.keys()].filter((name) => name.startsWith('undo spend')).length
  const payingUndone = answers.has('undo paying')
  expect(tally).toEqual({
    part: { done: 10, 'originalReturned netSpend:originalReturned': 2 },
    whole: { done: 1, unchanged: 4 },
    'one number': { done: 1, unchanged: 2, 'changed invoiceNumber:changed': 3 },
    undo: { done: 1, 114011: 5 },
    'undo paying': payingUndone ? { done: 1, 114011: 1 } : { 114011: 2 },
    spend: spent === 8 ? { done: 8 } : { done: spent, 114005: 8 - spent },
    ...(undone > 0 && { 'undo spend': { done: undone, 114011: undone } }),
  })
  // The points that paid come back with the goods or with an undo, never with both.
  expect(answers.get('whole')).toMatchObject({ returned: { pointsBack: payingUndone ? 0 : 40 } })
  return answers
}

/**
 * A new member with a lot that has expired, another lot, three sales and two spendings. One of the
 * spendings pays for a sale. The acts are those that may follow.
 */
async function prepare(occurredAt: string, points: number) {
  const { id, memberCode } = await testMember(s)
  const at = { memberCode, occurredAt }
  await givePoints(s, { id }, 30, addDays(await todayOf(s), -1))
  await givePoints(s, { id }, points)
  const spendings = new Map<string, string>()
  const spend = (name: string, amount: number, invoiceNumber?: string) => async () => {
    const input = { memberCode, kind: 'transaction', points: amount, invoiceNumber }
    const { code, data } = await clerk(redeemPoints, input)
    if (code === 0) spendings.set(name, Moved.parse(data).entry.id)
    return { ok: code === 0, answer: code }
  }
  const undo = (name: string) => async () => {
    const input = { memberCode, entryId: spendings.get(name), reason: 'a race' }
    const { code } = await clerk(cancelPoints, input)
    return { ok: code === 0, answer: code }
  }
  const [A, B, C] = [
    receipt([['A', '10.00', 10]], at),
    receipt([['B', '60.00', 1]], at),
    receipt([['C', '10.00', 5]], at),
  ]
  const returns = new Map<string, TransactionInput>()
  const back = (name: string, of: TransactionInput, line: Line, changes = {}) => {
    const one = receipt([line], { ...at, original: nameOf(of), ...changes })
    returns.set(name, one)
    return [name, () => till(one)] as const
  }
  const spends = times(8, (n) => `spend ${n}`)
  const all = back('all', C, ['C', '10.00', -5])
  const { invoiceNumber = '' } = returns.get('all') ?? {}
  const acts = new Map<string, () => Promise<Answer>>([
    ...times(12, (n) => back(`part ${n}`, A, ['A', '10.00', -1])),
    back('whole', B, ['B', '60.00', -1]),
    all,
    back('some', C, ['C', '10.00', -2], { invoiceNumber }),
    ['undo', undo('first')],
    ['undo paying', undo('paying')],
    ...spends.map((name) => [name, spend(name, 25)] as const),
    ...spends.flatMap((name, n) => (n % 2 > 0 ? [] : [[`undo ${name}`, undo(name)] as const])),
  ])
  const before = [
    spend('paying', 40, B.invoiceNumber),
    ...[A, B, C].map((sale) => () => till(sale)),
    spend('first', 120),
  ]
  for (const one of before) expect(await one()).toMatchObject({ ok: true })
  return { id, acts, spendings, returns }
}

function actOf({ acts }: Person, name: string): () => Promise<Answer> {
  const act = acts.get(name)
  if (act === undefined) throw new Error(`there is no act "${name}"`)
  return act
}

/** The acts of a member in the order of the ledger. */
async function orderOf(person: Person, answers: Map<string, unknown>): Promise<string[]> {
  const { id, returns, spendings } = person
  const spendingOf = new Map([...spendings].map(([name, entryId]) => [entryId, name]))
  const returnOf = new Map(
    [...returns]
      .filter(([name]) => answers.has(name))
      .map(([name, { invoiceNumber }]) => [invoiceNumber, name]),
  )
  const entries = await s.database.reading(s.id, (tx) => tx.all(readEntries, [s.id, id]))
  const names = entries.map(({ id: entryId, reverses, invoice }) => {
    if (invoice !== null) return returnOf.get(invoice)
    const undone = spendingOf.get(reverses ?? '')
    if (undone === 'first') return 'undo'
    return undone === undefined ? spendingOf.get(entryId) : `undo ${undone}`
  })
  return [...new Set(names)].flatMap((name = '') => (person.acts.has(name) ? [name] : []))
}

/** Entries and lots. The result leaves out the entries of the job, so its time does not matter. */
async function stateOf({ id }: Person) {
  const [entries, lots] = await s.database.reading(s.id, (tx) =>
    Promise.all([tx.all(readEntries, [s.id, id]), tx.all(readLots, [s.id, id])]),
  )
  const moved = entries.filter(({ type }) => type !== expired)
  return { entries: moved.map(({ type, points }) => [type, points]), lots }
}

const expire = (pool: Database) => runJob(pool, s.id, expiryJob, silent, { now: true })

async function logInAt(address: string) {
  const input = { identifier: s.identifier, account: 'amy', password }
  const { data } = await post(address, login, input)
  return { address, token: z.object({ token: z.string() }).parse(data).token }
}

/** The two processes in turns. */
const next = () => clients[turn++ % 2] ?? { address: '', token: '' }

function clerk(endpoint: Endpoint, input: object) {
  const { address, token } = next()
  const headers = { authorization: `Bearer ${token}`, 'idempotency-key': randomUUID() }
  return post(address, endpoint, input, headers)
}

async function till(item: TransactionInput): Promise<Answer> {
  const url = `${next().address}${integrationBase}${postTransactions.path}`
  const response = await sendUntilAnswered(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ items: [item] }),
  })
  const [result] = Items.parse(await response.json()).items
  if (result?.outcome !== 'created') return { ok: false, answer: result && itemResult(result) }
  const { points, returned } = result
  return { ok: true, answer: { points, returned } }
}
