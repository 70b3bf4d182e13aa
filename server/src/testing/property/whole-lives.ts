import { addDays } from '@tillside/contract/rules/day'
import * as fc from 'fast-check'
import * as z from 'zod/mini'
import { findCompany } from '../../company/find.ts'
import { type Database, statement, type Transaction } from '../../database/database.ts'
import { addDebit, addEarning, lockAccount } from '../../points/ledger.ts'
import { writeOff } from '../../points/expiry.ts'
import { giveBack } from '../../points/give-back.ts'
import { lifeOf } from '../../points/earn.ts'
import { lotsToSpend } from '../../points/lots.ts'
import { readTotals } from '../../points/totals.ts'
import { reviewTier } from '../../tier/review.ts'
import { readStanding } from '../../tier/standing.ts'
import { record } from '../../transaction/record.ts'
import { live, type LifeEnd, type LifeFact, type LifeLot } from '../model/life.ts'
import { nameOf, receipt } from '../factories/receipt.ts'
import type { Shop } from '../factories/shop.ts'
import { clockSetting } from '../servers/database-clock.ts'

// The life of one member on an adjustable clock, and the facts of it without what she bought.

const share = fc.constantFrom(1, 10, 33, 50, 90, 100)
const of = fc.nat(20)
const act = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('buy' as const),
      units: fc.integer({ min: 1, max: 2_000 }),
      /** The share of the points that pay, in percent. */
      pay: fc.constantFrom(0, 0, 30, 100),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('grant' as const), points: fc.nat(300) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('spend' as const), share }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('undo' as const), of }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('return' as const), of, share }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('jobs' as const) }) },
)
export const lifeStep = fc.record({ wait: fc.constantFrom(0, 0, 1, 3, 10, 32, 70), act })
export type LifeStep = typeof lifeStep extends fc.Arbitrary<infer T> ? T : never

type Sale = { input: ReturnType<typeof receipt>; units: number; back: number; paid: Spent | null }
type Spent = { id: string; points: number; back: number; undone: boolean; fact: object }

const setClock = statement('select set_config($1, $2, true)', z.unknown())
const readBalance = statement(
  'select balance from point_account where company_id = $1 and member_id = $2',
  z.object({ balance: z.int() }),
)
const readLots = statement(
  `select lot_id, remaining from point_lot
   where company_id = $1 and member_id = $2 and remaining > 0
   order by expires_on, earned_at, lot_id`,
  z.object({ lot_id: z.string(), remaining: z.int() }),
)
const nobody = { invoiceNumber: null, storeCode: 'S1', staffId: null, transactionId: null }

export class Life {
  readonly stage: Database
  readonly shop: Shop
  readonly memberId: string
  private readonly company: NonNullable<Awaited<ReturnType<typeof findCompany>>>
  private day = '2024-01-10'
  private minute = 0
  private readonly sales: Sale[] = []
  private readonly spendings: Spent[] = []
  private readonly facts: LifeFact[] = []
  private readonly grants = new Map<string, LifeLot>()

  private constructor(stage: Database, shop: Shop, memberId: string, company: Life['company']) {
    this.stage = stage
    this.shop = shop
    this.memberId = memberId
    this.company = company
  }

  static async begin(stage: Database, shop: Shop, memberId: string): Promise<Life> {
    const company = await findCompany(stage, shop.identifier)
    if (company === null) throw new Error('no company')
    return new Life(stage, shop, memberId, company)
  }

  async play({ wait, act: what }: LifeStep): Promise<void> {
    this.day = addDays(this.day, wait)
    this.minute += 1
    switch (what.kind) {
      case 'buy':
        return this.buy(what.units, what.pay)
      case 'grant':
        return this.grant(what.points)
      case 'spend':
        await this.spend(what.share, null)
        return
      case 'undo':
        return this.undo(what.of)
      case 'return': {
        const sale = this.sales[what.of % Math.max(1, this.sales.length)]
        if (sale === undefined || sale.back === sale.units) return
        const units = Math.ceil(((sale.units - sale.back) * what.share) / 100)
        return this.giveBackGoods(sale, units)
      }
      case 'jobs':
        return this.runJobs()
    }
  }

  /** Returns everything that is left, the newest sale first, each in two parts. */
  async returnAll(): Promise<void> {
    this.minute += 1
    for (const half of [true, false]) {
      for (const sale of this.sales.toReversed()) {
        const left = sale.units - sale.back
        const units = half ? Math.floor(left / 2) : left
        if (units > 0) await this.giveBackGoods(sale, units)
      }
    }
  }

  async runJobs(): Promise<void> {
    await this.act(async (tx) => {
      const account = await lockAccount(tx, this.shop.id, this.memberId)
      await writeOff(account, this.day)
      const { tierRules } = this.company.settings
      await reviewTier(tx, this.company, this.memberId, this.day, tierRules)
    })
  }

  balance(): Promise<number> {
    return this.act(async (tx) => (await tx.one(readBalance, this.key())).balance)
  }

  async lots(): Promise<[string, number][]> {
    const rows = await this.act((tx) => tx.all(readLots, this.key()))
    return rows.map((row) => [row.lot_id, row.remaining])
  }

  standing() {
    return this.act((tx) => {
      const { settings } = this.company
      return readStanding(tx, this.company, this.memberId, this.day, settings, 'en-US')
    })
  }

  /** The points that the member has spent and that did not come back. */
  spent(): number {
    return this.spendings.reduce((sum, one) => sum + (one.undone ? 0 : one.points - one.back), 0)
  }

  /** The end of a life without any sale. */
  expected(): LifeEnd {
    return live(this.facts, new Map(), this.day)
  }

  expectedLots(): [string, number][] {
    const { left } = this.expected()
    const lots = [...this.grants].map(([id, lot]): [string, number] => [id, left.get(lot) ?? 0])
    return lots.filter(([, points]) => points > 0)
  }

  private key() {
    return [this.shop.id, this.memberId]
  }

  private at(): string {
    // Noon in Hong Kong, and a minute later with each step.
    return new Date(Date.parse(`${this.day}T04:00:00Z`) + this.minute * 60_000).toISOString()
  }

  private act<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.stage.transaction(this.shop.id, async (tx) => {
      await tx.all(setClock, [clockSetting, this.at()])
      return work(tx)
    })
  }

  private async send(input: Sale['input']): Promise<void> {
    const { outcome } = await this.act((tx) => record(tx, this.company, this.memberId, input))
    if (outcome !== 'created') throw new Error(outcome)
  }

  private async buy(units: number, pay: number): Promise<void> {
    const input = receipt([['A', '1.00', units]], { occurredAt: this.at() })
    const paid = pay === 0 ? null : await this.spend(pay, input.invoiceNumber)
    await this.send(input)
    this.sales.push({ input, units, back: 0, paid })
  }

  private async giveBackGoods(sale: Sale, units: number): Promise<void> {
    const original = nameOf(sale.input)
    await this.send(receipt([['A', '1.00', -units]], { original, occurredAt: this.at() }))
    sale.back += units
    const { paid } = sale
    if (paid === null || paid.undone) return
    const points = Math.floor((paid.points * sale.back) / sale.units) - paid.back
    paid.back += points
    this.facts.push({ kind: 'undo', id: paid.fact, points })
  }

  private async grant(points: number): Promise<void> {
    if (points === 0) return
    const rules = { ...this.company.settings.points, pendingDays: 0 }
    const life = lifeOf(this.day, rules)
    const at = this.at()
    const { id } = await this.act(async (tx) =>
      addEarning(await lockAccount(tx, this.shop.id, this.memberId), {
        ...nobody,
        ...life,
        type: 'adjustmentUp',
        points,
        at,
        amount: null,
        earnDate: this.day,
        description: 'a step',
      }),
    )
    const lot = { at: Date.parse(at), from: life.activeFrom, until: life.expiresOn ?? '9999-12-31' }
    this.grants.set(id, lot)
    this.facts.push({ kind: 'earn', lot, points })
  }

  /** Spends a share of the points that can be spent. */
  private async spend(part: number, invoiceNumber: string | null): Promise<Spent | null> {
    const spent = await this.act(async (tx) => {
      const account = await lockAccount(tx, this.shop.id, this.memberId)
      const { valid } = await readTotals(tx, this.shop.id, this.memberId, this.day)
      const points = Math.floor((valid * part) / 100)
      const takes = points === 0 ? null : await lotsToSpend(account, points, this.day)
      if (takes === null) return null
      const type = 'redeemTransaction' as const
      const dates = { earnDate: null, expiryDate: null, reverses: null, description: null }
      const entry = {
        ...nobody,
        ...dates,
        type,
        points,
        at: this.at(),
        amount: null,
        invoiceNumber,
      }
      const { id } = await addDebit(account, entry, takes)
      return { id, points, back: 0, undone: false, fact: {} }
    })
    if (spent === null) return null
    this.spendings.push(spent)
    const { fact: id, points } = spent
    this.facts.push({ kind: 'spend', id, points, day: this.day, pending: false })
    return spent
  }

  private async undo(index: number): Promise<void> {
    const open = this.spendings.filter((one) => !one.undone && one.back === 0)
    const spending = open[index % Math.max(1, open.length)]
    if (spending === undefined) return
    await this.act(async (tx) => {
      const account = await lockAccount(tx, this.shop.id, this.memberId)
      const origin = { ...nobody, at: this.at(), amount: null, description: null }
      await giveBack(account, spending.id, 'refund', origin, this.day)
    })
    spending.undone = true
    this.facts.push({ kind: 'undo', id: spending.fact })
  }
}
