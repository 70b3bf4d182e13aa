// A member's history point by point: each point is a token that lies in its lot, or that a spending
// holds. Slow and simple, and without code of the engine.

export type LifeLot = { at: number; from: string; until: string }

/** Of two members that are merged later, `who` tells them apart; without it there is only one. */
export type LifeFact =
  | { kind: 'earn'; who?: number; lot: LifeLot; points: number }
  /** `pending`: may take points that cannot be spent yet. */
  | { kind: 'spend'; who?: number; id: object; points: number; day: string; pending: boolean }
  /** Gives all of a spending back, or so many points. */
  | { kind: 'undo'; who?: number; id: object; points?: number }
  | { kind: 'waive'; points: number }
  /** All points and debts become those of member 0. Points of one repay the debt of the other. */
  | { kind: 'merge'; day: string }

export type LifeEnd = {
  left: Map<LifeLot, number>
  /** Spent points that no lot had, and those of them that were forgiven. */
  owed: number
  waived: number
  balance: number
}

type Token = { lot: LifeLot; n: number; who: number }
type Debt = { id: object; who: number }

/** @param less the returned points of each lot */
export function live(
  facts: readonly LifeFact[],
  less: ReadonlyMap<LifeLot, number>,
  today: string,
): LifeEnd {
  const free = new Set<Token>()
  const held = new Map<object, Token[]>()
  let waiting: Debt[] = []
  let waived: Debt[] = []
  let n = 0
  const put = (token: Token) => {
    const first = waiting.find((debt) => debt.who === token.who)
    if (first === undefined) return void free.add(token)
    waiting = waiting.filter((debt) => debt !== first)
    held.get(first.id)?.push(token)
  }
  for (const fact of facts) {
    if (fact.kind === 'earn') {
      const points = fact.points - (less.get(fact.lot) ?? 0)
      n += 1
      for (let i = 0; i < points; i++) put({ lot: fact.lot, n, who: fact.who ?? 0 })
    } else if (fact.kind === 'spend') {
      const who = fact.who ?? 0
      const own = [...free].filter((token) => token.who === who)
      const alive = own.filter(({ lot }) => lot.until >= fact.day).sort(sooner)
      const ready = alive.filter(({ lot }) => fact.pending || lot.from <= fact.day)
      const later = alive.filter((token) => !ready.includes(token))
      const taken = [...ready, ...later].slice(0, fact.points)
      for (const token of taken) free.delete(token)
      held.set(fact.id, taken)
      for (let i = taken.length; i < fact.points; i++) waiting.push({ id: fact.id, who })
    } else if (fact.kind === 'undo') {
      let left = fact.points ?? Infinity
      const settled = (debt: Debt) => debt.id === fact.id && left-- > 0
      waiting = waiting.filter((debt) => !settled(debt))
      waived = waived.filter((debt) => !settled(debt))
      const parts = (held.get(fact.id) ?? []).sort(sooner)
      for (const token of parts.splice(0, Math.max(0, left))) put(token)
    } else if (fact.kind === 'waive') {
      waived.push(...waiting.splice(0, fact.points))
    } else {
      for (const one of [...free, ...[...held.values()].flat(), ...waiting]) one.who = 0
      const alive = [...free].filter(({ lot }) => lot.until >= fact.day).sort(sooner)
      for (const token of alive) {
        free.delete(token)
        put(token)
      }
    }
  }
  const left = new Map<LifeLot, number>()
  for (const { lot } of free) if (lot.until >= today) left.set(lot, (left.get(lot) ?? 0) + 1)
  const points = [...left.values()].reduce((sum, one) => sum + one, 0)
  return { left, owed: waiting.length, waived: waived.length, balance: points - waiting.length }
}

function sooner(a: Token, b: Token): number {
  if (a.lot.until !== b.lot.until) return a.lot.until < b.lot.until ? -1 : 1
  return a.lot.at - b.lot.at || a.n - b.n
}
