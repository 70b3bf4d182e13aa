// A member's history point by point: each point is a token that lies in its lot, or that a spending
// holds. Slow and simple, and without code of the engine.

export type LifeLot = { at: number; from: string; until: string }

export type LifeFact =
  | { kind: 'earn'; lot: LifeLot; points: number }
  /** `pending`: may take points that cannot be spent yet. */
  | { kind: 'spend'; id: object; points: number; day: string; pending: boolean }
  /** Gives all of a spending back, or so many points. */
  | { kind: 'undo'; id: object; points?: number }
  | { kind: 'waive'; points: number }

export type LifeEnd = {
  left: Map<LifeLot, number>
  /** Spent points that no lot had, and those of them that were forgiven. */
  owed: number
  waived: number
  balance: number
}

type Token = { lot: LifeLot; n: number }

/** @param less the returned points of each lot */
export function live(
  facts: readonly LifeFact[],
  less: ReadonlyMap<LifeLot, number>,
  today: string,
): LifeEnd {
  const free = new Set<Token>()
  const held = new Map<object, Token[]>()
  let waiting: object[] = []
  let waived: object[] = []
  let n = 0
  const put = (token: Token) => {
    const first = waiting.shift()
    if (first === undefined) free.add(token)
    else held.get(first)?.push(token)
  }
  for (const fact of facts) {
    if (fact.kind === 'earn') {
      const points = fact.points - (less.get(fact.lot) ?? 0)
      n += 1
      for (let i = 0; i < points; i++) put({ lot: fact.lot, n })
    } else if (fact.kind === 'spend') {
      const alive = [...free].filter(({ lot }) => lot.until >= fact.day).sort(sooner)
      const ready = alive.filter(({ lot }) => fact.pending || lot.from <= fact.day)
      const later = alive.filter((token) => !ready.includes(token))
      const taken = [...ready, ...later].slice(0, fact.points)
      for (const token of taken) free.delete(token)
      held.set(fact.id, taken)
      for (let i = taken.length; i < fact.points; i++) waiting.push(fact.id)
    } else if (fact.kind === 'undo') {
      let left = fact.points ?? Infinity
      const settled = (id: object) => id === fact.id && left-- > 0
      waiting = waiting.filter((id) => !settled(id))
      waived = waived.filter((id) => !settled(id))
      const parts = (held.get(fact.id) ?? []).sort(sooner)
      for (const token of parts.splice(0, Math.max(0, left))) put(token)
    } else {
      waived.push(...waiting.splice(0, fact.points))
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
