import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testDefinition } from '../testing/factories/definition.ts'
import { testMember } from '../testing/factories/member.ts'
import { nameOf, receipt } from '../testing/factories/receipt.ts'
import { type Shop, testShop } from '../testing/factories/shop.ts'
import type { TransactionInput } from './input.ts'

// Compares random sales and returns with a model without lots, entries or SQL. After each sequence
// the balance equals the model's, and the ledger's invariants hold.

type Step =
  | { kind: 'sale'; cents: number }
  | { kind: 'return'; of: number; share: number }
  | { kind: 'loose'; cents: number }

const cents = fc.integer({ min: 1, max: 90_000 })
const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('sale' as const), cents }),
    fc.record({
      kind: fc.constant('return' as const),
      of: fc.nat(9),
      share: fc.integer({ min: 1, max: 100 }),
    }),
    fc.record({ kind: fc.constant('loose' as const), cents }),
  ),
  { minLength: 1, maxLength: 14 },
)

type Sale = { input: TransactionInput; cents: number; returned: number }

/** Calculates the expected points in the way a person would. */
function modelOf(policy: 'clamp' | 'debt', perUnit: number) {
  let balance = 0
  const take = (points: number) => {
    balance -= policy === 'debt' ? points : Math.min(points, balance)
  }
  return {
    balance: () => balance,
    sale: (amount: number) => (balance += award(amount)),
    back(sale: Sale, amount: number) {
      const until = (part: number) => Math.floor((award(sale.cents) * part) / sale.cents)
      take(until(sale.returned + amount) - until(sale.returned))
    },
    loose: (amount: number) => take(award(amount)),
  }
  function award(amount: number): number {
    return Math.floor((amount * perUnit) / 100)
  }
}

describe.each(['clamp', 'debt'] as const)('a history under %s', (policy) => {
  let s: Shop
  const { points } = testDefinition('a')
  beforeAll(async () => {
    s = await testShop({ points: { ...points, perUnit: '2', refundPolicy: policy } })
  })
  afterAll(() => s.close())

  it('has the balance of the model after any sequence', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (history) => {
        const member = await testMember(s)
        const model = modelOf(policy, 2)
        const sales: Sale[] = []
        for (const [index, step] of history.entries()) {
          await play(s, member.id, step, sales, model, index)
          expect((await s.totals(member.id, '2026-03-31')).balance).toBe(model.balance())
        }
        expect(await s.violations()).toEqual([])
        const spent = sales.reduce((sum, sale) => sum + sale.cents - sale.returned, 0)
        const loose = history.reduce((sum, x) => sum + (x.kind === 'loose' ? x.cents : 0), 0)
        const { gradeSpend } = await s.standing(member.id, '2026-03-31')
        expect(Math.round(Number(gradeSpend) * 100)).toBe(spent - loose)
      }),
      { numRuns: 40 },
    )
  })
})

async function play(
  s: Shop,
  memberId: string,
  step: Step,
  sales: Sale[],
  model: ReturnType<typeof modelOf>,
  index: number,
): Promise<void> {
  const changes = { occurredAt: `2026-03-${String(index + 1).padStart(2, '0')}T04:00:00Z` }
  if (step.kind === 'sale') {
    const input = receipt([['A', money(step.cents), 1]], changes)
    await s.send(memberId, input)
    sales.push({ input, cents: step.cents, returned: 0 })
    model.sale(step.cents)
    return
  }
  if (step.kind === 'loose') {
    await s.send(memberId, receipt([['A', money(step.cents), -1]], changes))
    model.loose(step.cents)
    return
  }
  const sale = sales[step.of % Math.max(1, sales.length)]
  if (sale === undefined) return
  const amount = Math.max(1, Math.floor((sale.cents * step.share) / 100))
  const original = nameOf(sale.input)
  const answer = await s.send(
    memberId,
    receipt([['A', money(amount), -1]], { ...changes, original }),
  )
  const fits = sale.returned + amount <= sale.cents
  expect(answer.outcome).toBe(fits ? 'created' : 'refused')
  if (!fits) return
  model.back(sale, amount)
  sale.returned += amount
}

function money(amount: number): string {
  return (amount / 100).toFixed(2)
}
