import { redeemPoints, cancelPoints } from '@tillside/contract/points'
import { addDays } from '@tillside/contract/rules/day'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import * as z from 'zod/mini'
import { type Database, openDatabase, statement } from '../database/database.ts'
import { expireSome } from '../jobs/expiry.ts'
import { isOnCluster } from '../testing/cluster/off-cluster.ts'
import { logIn, ok } from '../testing/factories/company.ts'
import { todayOf } from '../testing/factories/coupon.ts'
import { testMember } from '../testing/factories/member.ts'
import { givePoints } from '../testing/factories/points.ts'
import { nameOf, receipt } from '../testing/factories/receipt.ts'
import type { Shop } from '../testing/factories/shop.ts'
import { pointRules, testSpendingShop } from '../testing/factories/spending.ts'
import { mergeMembers } from './merge.ts'
import { MergeRefused } from './refused.ts'
import { unmergeMember } from './unmerge.ts'

// Two members live the same twice: once they are merged and parted on the way, once never. A seed
// makes a life again.

// Each statement takes a cluster ten times as long.
const lives = isOnCluster ? 3 : 15
const expiry = { kind: 'months', months: 6 } as const
const exchange = { minimum: 1, maximum: 5000, increment: 1, pointValue: '0.01', maxShare: null }

let shop: Shop
let token: string
let today: string
let owner: Database
beforeAll(() => {
  owner = openDatabase(inject('ownerUrl'))
})
afterAll(() => owner.close())

const policies = ['debt', 'clamp'] as const
test.each(policies)('a merge and an unmerge leave no trace in random lives, %s', async (policy) => {
  const points = { ...pointRules, expiry, exchange, refundPolicy: policy }
  shop = await testSpendingShop({ points })
  token = await logIn(shop)
  today = await todayOf(shop)
  let parted = 0
  for (let seed = 1; seed <= lives; seed++) {
    const acts = lifeOf(seed)
    const [merging, never] = [await pair(), await pair()]
    for (const act of acts.before) {
      await play(merging, act, false)
      await play(never, act, false)
    }
    await expire()
    const balances = await Promise.all(merging.members.map(balanceOf))
    const [survivor, merged] = merging.members
    await owner.transaction(shop.id, (tx) =>
      mergeMembers(tx, shop.id, survivor.memberCode, merged.memberCode),
    )
    expect([seed, await balanceOf(survivor)]).toEqual([
      seed,
      (balances[0] ?? 0) + (balances[1] ?? 0),
    ])
    for (const act of acts.after) {
      await play(merging, act, true)
      await play(never, act, false)
    }
    expect([seed, await shop.violations()]).toEqual([seed, []])
    const total = await balanceOf(survivor)
    try {
      await owner.transaction(shop.id, (tx) => unmergeMember(tx, shop.id, merged.memberCode))
    } catch (error) {
      // A return since was settled with points of both.
      expect([seed, error]).toEqual([seed, expect.any(MergeRefused)])
      expect([seed, await balanceOf(survivor)]).toEqual([seed, total])
      continue
    }
    parted += 1
    await expire()
    for (const [n, member] of merging.members.entries()) {
      const twin = never.members[n] ?? member
      expect([seed, n, await stateOf(member)]).toEqual([seed, n, await stateOf(twin)])
    }
    expect([seed, await shop.violations()]).toEqual([seed, []])
  }
  expect(parted).toBeGreaterThanOrEqual(lives / 3)
  await shop.close()
})

/** `who` is 0 for the survivor, 1 for the merged member; `sale` numbers an earlier sale. */
type Act = { who: 0 | 1 } & (
  | { kind: 'sale'; amount: number; daysAgo: number }
  | { kind: 'return'; sale: number; amount: number }
  | { kind: 'give'; points: number; daysLeft: number }
  | { kind: 'spend' | 'spendAndUndo'; points: number }
)

/** The acts of two members before and after the merge. */
function lifeOf(seed: number): { before: Act[]; after: Act[] } {
  let state = seed
  const random = (below: number) => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
  const sales: { who: 0 | 1; left: number }[] = []
  const act = (merged: boolean): Act => {
    const who = random(2) === 0 ? 0 : 1
    switch (random(6)) {
      case 0:
      case 1: {
        const amount = 10 + random(900)
        // After the merge, all purchases belong to the survivor.
        const buyer = merged ? 0 : who
        sales.push({ who: buyer, left: amount })
        return { who: buyer, kind: 'sale', amount, daysAgo: merged ? 0 : random(300) }
      }
      case 2:
      case 3: {
        const sale = random(Math.max(1, sales.length))
        const sold = sales[sale]
        if (sold === undefined || sold.left === 0) break
        const amount = 1 + random(sold.left)
        sold.left -= amount
        return { who: sold.who, kind: 'return', sale, amount }
      }
      case 4: {
        if (merged) break
        return { who, kind: 'give', points: 1 + random(200), daysLeft: 1 + random(400) }
      }
      default:
    }
    return { who, kind: merged ? 'spendAndUndo' : 'spend', points: 1 + random(150) }
  }
  return {
    before: Array.from({ length: 14 }, () => act(false)),
    after: Array.from({ length: 5 }, () => act(true)),
  }
}

type Known = Awaited<ReturnType<typeof testMember>>
type Pair = { members: [Known, Known]; sales: ReturnType<typeof receipt>[] }

async function pair(): Promise<Pair> {
  return { members: [await testMember(shop), await testMember(shop)], sales: [] }
}

async function play({ members, sales }: Pair, act: Act, isMerged: boolean): Promise<void> {
  const member = members[isMerged ? 0 : act.who]
  const now = new Date().toISOString()
  switch (act.kind) {
    case 'sale': {
      const ago = act.daysAgo * 86_400_000
      const occurredAt = new Date(Date.parse(now) - ago).toISOString()
      const sale = receipt([['A', `${act.amount}.00`, 1]], { occurredAt })
      sales.push(sale)
      await shop.send(member.id, sale)
      return
    }
    case 'return': {
      const sold = sales[act.sale]
      if (sold === undefined) throw new Error('a return without a sale')
      const back = receipt([['A', `${act.amount}.00`, -1]], {
        original: nameOf(sold),
        occurredAt: now,
      })
      expect(await shop.send(member.id, back)).toMatchObject({ outcome: 'created' })
      return
    }
    case 'give':
      await givePoints(shop, member, act.points, addDays(today, act.daysLeft))
      return
    case 'spend':
    case 'spendAndUndo': {
      const { memberCode } = member
      const { valid } = await shop.totals(member.id, today)
      const points = Math.min(act.points, valid)
      if (points <= 0) return
      const input = { memberCode, kind: 'transaction', points }
      const { entry } = await ok(shop, redeemPoints, input, { token })
      if (act.kind === 'spend') return
      const undo = { memberCode, entryId: entry.id, reason: 'changed her mind' }
      await ok(shop, cancelPoints, undo, { token })
    }
  }
}

async function expire(): Promise<void> {
  await shop.database.transaction(shop.id, (tx) => expireSome(tx, shop.id, today))
}

async function balanceOf({ id }: Known): Promise<number> {
  return (await shop.totals(id, today)).balance
}

const readLots = statement(
  `select remaining, active_from, expires_on from point_lot
   where company_id = $1 and member_id = $2 and remaining > 0 and expires_on >= $3
   order by expires_on, active_from, remaining`,
  z.object({ remaining: z.int(), active_from: z.string(), expires_on: z.nullable(z.string()) }),
)

/** What the rules say of a member: balance, lots, spend and tier. */
async function stateOf(member: Known) {
  const lots = await shop.database.transaction(shop.id, (tx) =>
    tx.all(readLots, [shop.id, member.id, today]),
  )
  const { valid, balance } = await shop.totals(member.id, today)
  const { code, gradeSpend } = await shop.standing(member.id, today)
  return { valid, balance, lots, code, gradeSpend }
}
