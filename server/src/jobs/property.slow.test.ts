import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { findCompany, type FoundCompany } from '../company/find.ts'
import { statement, type Transaction } from '../kit/database.ts'
import { createMember } from '../member/create.ts'
import { adjust, adjustmentTypes } from '../points/adjust.ts'
import { pointInvariants } from '../points/invariants.ts'
import { giveBack } from '../points/give-back.ts'
import { addDebit, lockAccount } from '../points/ledger.ts'
import { lotsToSpend } from '../points/lots.ts'
import { readPointTotals } from '../points/totals.ts'
import { testDefinition } from '../testing/definition.ts'
import { newTestMember } from '../testing/member.ts'
import { nameOf, receipt } from '../testing/receipt.ts'
import { type Shop, testShop } from '../testing/shop.ts'
import { record } from '../transaction/record.ts'
import type { TransactionInput } from '../transaction/input.ts'
import { expireSome } from './expiry.ts'
import { addDays, minutes, ModelAccount, type ModelRules, special, worlds } from './model.ts'

// Random lives of six members of two companies, held against the model after every step. What
// failed is repeated with the seed that the test's name tells: SEED=… npx vitest run property
const runs = Number(process.env['PROPERTY_RUNS'] ?? 100)
const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31))
const length = 50

const cents = fc.integer({ min: 1, max: 60_000 })
const shares = fc.constantFrom(1, 10, 33, 50, 67, 90, 100, 101)
const which = fc.nat(20)
const spendTypes = fc.constantFrom(4 as const, 15 as const)
const some = fc.integer({ min: 1, max: 300 })
const types = fc.constantFrom(...adjustmentTypes)
const kind = <K extends string>(name: K) => fc.constant(name)
const act = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: kind('sale'), cents, late: fc.nat(4) }) },
  { weight: 3, arbitrary: fc.record({ kind: kind('return'), of: which, share: shares }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('loose'), cents }) },
  { weight: 4, arbitrary: fc.record({ kind: kind('spend'), type: spendTypes, share: shares }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('cancel'), of: which }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('expire') }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('adjust'), type: types, points: some }) },
)
const step = fc.record({
  company: fc.nat(1),
  member: fc.nat(2),
  wait: fc.oneof(
    { weight: 5, arbitrary: fc.nat(2) },
    { weight: 2, arbitrary: fc.integer({ min: 3, max: 40 }) },
    { weight: 2, arbitrary: fc.constant('special' as const) },
  ),
  minute: fc.constantFrom(...minutes),
  act,
})
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

const readMember = statement(
  `select a.balance,
     array(select array[e.type - 100000000, e.points] from point_entry e
       where e.company_id = $1 and e.member_id = $2 order by e.seq) as entries,
     array(select array[l.remaining::text, l.active_from::text, l.expires_on::text]
       from point_lot l where l.company_id = $1 and l.member_id = $2 and l.remaining > 0
       order by l.expires_on, l.earned_at, l.lot_id) as lots
   from point_account a where a.company_id = $1 and a.member_id = $2`,
  z.object({
    balance: z.int(),
    entries: z.array(z.array(z.pipe(z.string(), z.transform(Number)))),
    lots: z.array(z.array(z.string())),
  }),
)

/** Somebody in both worlds. */
type Person = {
  id: string
  model: ModelAccount
  receipts: TransactionInput[]
  /** The engine's entries of the model's spendings. */
  debits: string[]
}
type Side = { tx: Transaction; company: FoundCompany; people: Person[] }

/** Thrown at the end of a sequence: it leaves nothing behind, so that the next is as quick. */
class Undone extends Error {}

describe('points, whatever happens', () => {
  const shops: Shop[] = []
  const companies: FoundCompany[] = []
  beforeAll(async () => {
    const { points: base } = testDefinition('a')
    for (const { timeZone, perHundred, pendingDays, refund, expiry } of worlds) {
      const dates = expiry.kind === 'fixed' ? { ...expiry, dates: [...expiry.dates] } : expiry
      const perUnit = String(perHundred / 100)
      const shop = await testShop({
        timeZone,
        points: { ...base, perUnit, pendingDays, refund, expiry: dates },
      })
      const company = await findCompany(shop.database, shop.identifier)
      if (company === null) throw new Error('no company')
      shops.push(shop)
      companies.push(company)
    }
  })
  afterAll(() => Promise.all(shops.map((shop) => shop.close())))

  it(
    `is what the model says, ${runs} × ${length} steps (SEED=${seed})`,
    async () => {
      const steps = fc.array(step, { minLength: length, maxLength: length })
      const began = performance.now()
      await fc.assert(
        fc.asyncProperty(steps, (life) => inTwoCompanies((sides) => play(sides, life))),
        // Shrinking what failed ends in time for its report, and a run cut short is none.
        {
          numRuns: runs,
          seed,
          interruptAfterTimeLimit: runs * 2_000 + 30_000,
          markInterruptAsFailure: true,
        },
      )
      const ms = (performance.now() - began) / runs / length
      console.info(`${runs} sequences of ${length} steps, ${ms.toFixed(1)} ms a step`)
    },
    runs * 3_000 + 60_000,
  )

  /** Both companies in a transaction each, with three members each, undone at the end. */
  async function inTwoCompanies(work: (sides: Side[]) => Promise<void>): Promise<void> {
    const open = async (sides: Side[]): Promise<void> => {
      const index = sides.length
      const [shop, company, rules] = [shops[index], companies[index], worlds[index]]
      if (shop === undefined || company === undefined || rules === undefined) {
        await work(sides)
        throw new Undone()
      }
      await shop.database.transaction(company.id, async (tx) => {
        const people = await Promise.all([0, 1, 2].map(() => newPerson(tx, company, rules)))
        await open([...sides, { tx, company, people }])
      })
    }
    await open([]).catch((error: unknown) => {
      if (!(error instanceof Undone)) throw error
    })
  }
})

async function newPerson(tx: Transaction, company: FoundCompany, rules: ModelRules) {
  const id = await createMember(tx, company, newTestMember())
  return { id, model: new ModelAccount(rules), receipts: [], debits: [] }
}

async function play(sides: readonly Side[], life: readonly Step[]): Promise<void> {
  let clock = Date.parse('2023-12-20T12:00:00Z')
  for (const { company, member, wait, minute, act: what } of life) {
    const day = new Date(clock).toISOString().slice(0, 10)
    const next =
      wait === 'special'
        ? (special.find((candidate) => candidate > day) ?? addDays(day, 1))
        : addDays(day, wait)
    clock = Math.max(clock + 1000, Date.parse(`${next}T00:00:00Z`) + minute * 60_000)
    const side = sides[company]
    const person = side?.people[member]
    if (side === undefined || person === undefined) throw new Error('nobody')
    await happen(side, person, what, clock)
    const touched = what.kind === 'expire' ? side.people : [person]
    // Sent together: a step costs as few round trips as it can.
    await Promise.all([
      ...touched.map((somebody) => compare(side, somebody, clock)),
      ...Object.values(pointInvariants).map(async (query) =>
        expect(await side.tx.all(query, [side.company.id])).toEqual([]),
      ),
    ])
  }
}

async function compare({ tx, company }: Side, { id, model }: Person, at: number): Promise<void> {
  const day = model.dayOf(at)
  const [told, totals] = await Promise.all([
    tx.one(readMember, [company.id, id]),
    readPointTotals(tx, company.id, id, day),
  ])
  expect({ ...told, valid: totals.valid }).toEqual({
    balance: model.balance,
    entries: model.entries,
    lots: model.open().map((lot) => [String(lot.left), lot.from, lot.until]),
    valid: model.valid(day),
  })
}

/** The same in the engine and in the model; they also agree on what cannot be done. */
async function happen(side: Side, person: Person, what: Act, at: number): Promise<void> {
  const { tx, company } = side
  const { model } = person
  const day = model.dayOf(at)
  switch (what.kind) {
    case 'sale': {
      const when = at - what.late * 86_400_000
      const input = await send(side, person, what.cents, when, null)
      person.receipts.push(input)
      return model.sale(what.cents, when)
    }
    case 'loose': {
      await send(side, person, -what.cents, at, null)
      return model.returnLoose(what.cents, at)
    }
    case 'return': {
      const index = what.of % Math.max(1, person.receipts.length)
      const [sale, original] = [model.sales[index], person.receipts[index]]
      if (sale === undefined || original === undefined) return
      const amount = Math.max(1, Math.floor((sale.cents * what.share) / 100))
      const fits = model.returnSale(index, amount, at)
      await send(side, person, -amount, at, original, fits ? 'created' : 'refused')
      return
    }
    case 'spend': {
      const points = Math.max(1, Math.ceil((model.valid(day) * what.share) / 100))
      const ledger = await lockAccount(tx, company.id, person.id)
      const takes = await lotsToSpend(ledger, points, day)
      expect(takes !== null).toBe(model.spend(what.type, points, day))
      if (takes === null) return
      const type = what.type === 4 ? 'redeemGift' : 'redeemTransaction'
      const entry = await addDebit(ledger, { ...origin(at), ...plain, type, points }, takes)
      person.debits.push(entry.id)
      return
    }
    case 'cancel': {
      const index = what.of % Math.max(1, person.debits.length)
      const [spending, debit] = [model.spendings[index], person.debits[index]]
      if (spending === undefined || debit === undefined || spending.cancelled) return
      const ledger = await lockAccount(tx, company.id, person.id)
      await giveBack(ledger, debit, spending.type === 4 ? 'cancelGift' : 'refund', origin(at), day)
      return model.cancel(index, day)
    }
    case 'expire': {
      while ((await expireSome(tx, company.id, day)).left) {}
      for (const { model: one } of side.people) one.expire(one.dayOf(at))
      return
    }
    case 'adjust':
      return correct(side, person, what, at)
  }
}

async function correct(
  { tx, company }: Side,
  { id, model }: Person,
  { type, points }: Extract<Act, { kind: 'adjust' }>,
  at: number,
): Promise<void> {
  const day = model.dayOf(at)
  const ledger = await lockAccount(tx, company.id, id)
  const asked = { type, points, day, origin: origin(at) }
  const { outcome } = await adjust(ledger, asked, company.settings.points)
  const told = {
    adjustmentUp: () => (model.add(2, points, at), true),
    adjustmentDown: () => model.deduct(3, points, day),
    specialAdd: () => (model.add(6, points, at), true),
    specialDeduct: () => model.deduct(7, points, day),
    transferIn: () => (model.add(13, points, at), true),
    transferOut: () => model.spend(14, points, day) && model.spendings.pop() !== undefined,
  }[type]()
  expect(outcome).toBe(told ? 'adjusted' : 'refused')
}

async function send(
  { tx, company }: Side,
  { id }: Person,
  amount: number,
  at: number,
  original: TransactionInput | null,
  outcome = 'created',
): Promise<TransactionInput> {
  const price = (Math.abs(amount) / 100).toFixed(2)
  const input = receipt([['A', price, Math.sign(amount)]], {
    occurredAt: new Date(at).toISOString(),
    original: original === null ? null : nameOf(original),
  })
  expect((await record(tx, company, id, input)).outcome).toBe(outcome)
  return input
}

const plain = { earnDate: null, expiryDate: null, reverses: null }
function origin(at: number) {
  return {
    at: new Date(at).toISOString(),
    amount: null,
    invoiceNumber: null,
    storeCode: null,
    staffId: null,
    transactionId: null,
    description: 'a step',
  }
}
