import { addDays } from '@tillside/contract/rules/day'
import * as z from 'zod/mini'
import { findCompany } from '../../company/find.ts'
import { type Database, statement, type Transaction } from '../../database/database.ts'
import { mergeMembers } from '../../merge/merge.ts'
import { MergeRefused } from '../../merge/refused.ts'
import { unmergeMember } from '../../merge/unmerge.ts'
import { lockAccount, noOrigin } from '../../points/ledger.ts'
import { writeOff } from '../../points/expiry.ts'
import { giveBack } from '../../points/give-back.ts'
import { lifeOf } from '../../points/earn.ts'
import { reviewTier } from '../../tier/review.ts'
import { readStanding } from '../../tier/standing.ts'
import { record } from '../../transaction/record.ts'
import { live, type LifeFact, type LifeLot } from '../model/life.ts'
import { nameOf, receipt } from '../factories/receipt.ts'
import type { Shop } from '../factories/shop.ts'
import { grantPoints, spendShare } from './life-acts.ts'
import type { LifeStep } from './life-steps.ts'
import { clockSetting } from '../servers/database-clock.ts'

// The life of two members on an adjustable clock, who are merged on some day and perhaps parted
// later, and the facts of it without what they bought.

type Member = { id: string; memberCode: string }
/** `who`: the member, 0 or 1; while they are merged, the survivor, who is 0. */
type Sale = {
  who: number
  input: ReturnType<typeof receipt>
  units: number
  back: number
  paid: Spent | null
}
type Spent = {
  who: number
  id: string
  points: number
  back: number
  undone: boolean
  fact: object
}

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
const refusals = new Set(['mergeInUse', 'mergeTooOld'])

export class Life {
  readonly stage: Database
  readonly shop: Shop
  /** The survivor first. */
  readonly members: readonly Member[]
  private readonly company: NonNullable<Awaited<ReturnType<typeof findCompany>>>
  private day = '2024-01-10'
  private minute = 0
  private readonly sales: Sale[] = []
  private readonly spendings: Spent[] = []
  private facts: LifeFact[] = []
  private readonly grants = new Map<string, LifeLot>()
  private isMerged = false

  private constructor(
    stage: Database,
    shop: Shop,
    members: Life['members'],
    company: Life['company'],
  ) {
    this.stage = stage
    this.shop = shop
    this.members = members
    this.company = company
  }

  /** @param stage a database of its owner, who alone can merge members */
  static async begin(stage: Database, shop: Shop, members: Life['members']): Promise<Life> {
    const company = await findCompany(stage, shop.identifier)
    if (company === null) throw new Error('no company')
    return new Life(stage, shop, members, company)
  }

  /** The members who have points now: one while they are merged. */
  get people(): readonly Member[] {
    return this.isMerged ? this.members.slice(0, 1) : this.members
  }

  async play({ wait, act: what }: LifeStep): Promise<void> {
    this.day = addDays(this.day, wait)
    this.minute += 1
    switch (what.kind) {
      case 'buy':
        return this.buy(this.now(what.who), what.units, what.pay)
      case 'grant':
        return this.grant(this.now(what.who), what.points)
      case 'spend':
        await this.spend(this.now(what.who), what.share, null)
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
      case 'merge':
        return this.merge()
      case 'unmerge':
        return this.unmerge()
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
    for (const { id } of this.people) {
      await this.act(async (tx) => {
        await writeOff(await lockAccount(tx, this.shop.id, id), this.day)
        await reviewTier(tx, this.company, id, this.day, this.company.settings.tierRules)
      })
    }
  }

  /** The balance, lots and tier of each member. */
  state() {
    return Promise.all(
      this.people.map(({ id }) =>
        this.act(async (tx) => {
          const { balance } = await tx.one(readBalance, [this.shop.id, id])
          const rows = await tx.all(readLots, [this.shop.id, id])
          const { settings } = this.company
          const tier = await readStanding(tx, this.company, id, this.day, settings, 'en-US')
          const lots = rows.map((row): [string, number] => [row.lot_id, row.remaining])
          return { balance, lots, tier }
        }),
      ),
    )
  }

  /** The points that the member has spent and that did not come back. */
  spent(): number {
    return this.spendings.reduce((sum, one) => sum + (one.undone ? 0 : one.points - one.back), 0)
  }

  /** The balance and lots at the end of a life without any sale. */
  expected(): { balance: number; lots: [string, number][] }[] {
    return this.people.map((_, who) => {
      const own = this.facts.filter((fact) => this.isMerged || ('who' in fact && fact.who === who))
      const { left, balance } = live(own, new Map(), this.day)
      const lots = [...this.grants].map(([id, lot]): [string, number] => [id, left.get(lot) ?? 0])
      return { balance, lots: lots.filter(([, points]) => points > 0) }
    })
  }

  /** The member who acts for `who` now. */
  private now(who: number): number {
    return this.isMerged ? 0 : who
  }

  private idOf(who: number): string {
    const member = this.people[this.now(who)]
    if (member === undefined) throw new Error(`there is no member ${who}`)
    return member.id
  }

  private codes(): [string, string] {
    const [survivor, merged] = this.members
    if (survivor === undefined || merged === undefined) throw new Error('two members are needed')
    return [survivor.memberCode, merged.memberCode]
  }

  private async merge(): Promise<void> {
    await this.act((tx) => mergeMembers(tx, this.shop.id, ...this.codes()))
    this.isMerged = true
    this.facts.push({ kind: 'merge', day: this.day })
  }

  /** Parts them again, unless points of both were used together. */
  private async unmerge(): Promise<void> {
    try {
      await this.act((tx) => unmergeMember(tx, this.shop.id, this.codes()[1]))
    } catch (error) {
      if (error instanceof MergeRefused && refusals.has(error.reason)) return
      throw error
    }
    this.isMerged = false
    this.facts = this.facts.filter(({ kind }) => kind !== 'merge')
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

  private async send(who: number, input: Sale['input']): Promise<void> {
    const { outcome } = await this.act((tx) => record(tx, this.company, this.idOf(who), input))
    if (outcome !== 'created') throw new Error(outcome)
  }

  private async buy(who: number, units: number, pay: number): Promise<void> {
    const input = receipt([['A', '1.00', units]], { occurredAt: this.at() })
    const paid = pay === 0 ? null : await this.spend(who, pay, input.invoiceNumber)
    await this.send(who, input)
    this.sales.push({ who, input, units, back: 0, paid })
  }

  private async giveBackGoods(sale: Sale, units: number): Promise<void> {
    const original = nameOf(sale.input)
    const goods = receipt([['A', '1.00', -units]], { original, occurredAt: this.at() })
    await this.send(sale.who, goods)
    sale.back += units
    const { paid } = sale
    if (paid === null || paid.undone) return
    const points = Math.floor((paid.points * sale.back) / sale.units) - paid.back
    paid.back += points
    this.facts.push({ kind: 'undo', who: paid.who, id: paid.fact, points })
  }

  private async grant(who: number, points: number): Promise<void> {
    if (points === 0) return
    const rules = { ...this.company.settings.points, pendingDays: 0 }
    const life = lifeOf(this.day, rules)
    const at = this.at()
    const id = await this.act(async (tx) => {
      const account = await lockAccount(tx, this.shop.id, this.idOf(who))
      return grantPoints(account, { ...life, points, at, earnDate: this.day })
    })
    const lot = { at: Date.parse(at), from: life.activeFrom, until: life.expiresOn ?? '9999-12-31' }
    this.grants.set(id, lot)
    this.facts.push({ kind: 'earn', who, lot, points })
  }

  /** Spends a share of the points that can be spent. */
  private async spend(
    who: number,
    part: number,
    invoiceNumber: string | null,
  ): Promise<Spent | null> {
    const spent = await this.act(async (tx) => {
      const account = await lockAccount(tx, this.shop.id, this.idOf(who))
      return spendShare(account, part, this.day, { at: this.at(), invoiceNumber })
    })
    if (spent === null) return null
    const { points } = spent
    const spending = { ...spent, who, back: 0, undone: false, fact: {} }
    this.spendings.push(spending)
    const { fact: id } = spending
    this.facts.push({ kind: 'spend', who, id, points, day: this.day, pending: false })
    return spending
  }

  private async undo(index: number): Promise<void> {
    const open = this.spendings.filter((one) => !one.undone && one.back === 0)
    const spending = open[index % Math.max(1, open.length)]
    if (spending === undefined) return
    await this.act(async (tx) => {
      const account = await lockAccount(tx, this.shop.id, this.idOf(spending.who))
      const origin = { ...noOrigin, storeCode: 'S1', at: this.at() }
      await giveBack(account, spending.id, 'refund', origin, this.day)
    })
    spending.undone = true
    this.facts.push({ kind: 'undo', who: spending.who, id: spending.fact })
  }
}
