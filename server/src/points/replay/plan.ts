import { newId } from '../../values/id.ts'
import type { RefundPolicy } from '../../company/limits.ts'
import type { LockedAccount } from '../ledger.ts'
import { eventOf, type Facts, type ReturnFact } from './facts.ts'
import type { LifeState } from './life.ts'
import { replayFacts, type Target, targetOf } from './target.ts'

/** The points that a return asks for. Points are above 0; amounts are money, decimal strings. */
export type ReturnAsk = {
  /** The return's day in the company's calendar. */
  day: string
  /** The returned shares of awards, by the lot of each award. */
  awards: readonly { lotId: string; points: number; amount: string }[]
  /** The points of goods whose sale is unknown. */
  loose: { points: number; amount: string } | null
  /** The points that had paid for the goods, by the redemption's entry. */
  paid: readonly { entryId: string; points: number; graceUntil: string | null }[]
}

/** The facts of a return. */
export function factsOf({ awards, loose, paid }: ReturnAsk): ReturnFact[] {
  const fact = { entryId: null, graceUntil: null }
  return [
    ...awards.map(({ lotId, points }): ReturnFact => {
      return { ...fact, id: newId(), kind: 'award', entryId: lotId, points }
    }),
    ...[loose].flatMap((one): ReturnFact[] =>
      one === null ? [] : [{ ...fact, id: newId(), kind: 'loose', points: one.points }],
    ),
    ...paid.map((one): ReturnFact => ({ ...one, id: newId(), kind: 'paid' })),
  ]
}

/** The lots before and after each part of a return, and its effect on forgiven shortfalls. */
export type Plan = {
  day: string
  now: Target
  /** After the points of the goods were taken. */
  taken: Target
  /** After the points that had paid for them came back, too. */
  back: Target
  facts: readonly ReturnFact[]
  forgiven: number
  /** The forgiven points of earlier returns that this return settles. */
  reclaimed: number
}

type PlanTerms = { day: string; asOf: string; policy: RefundPolicy; at: string }

/** Replays a member's history without and with a return. */
export function planOf(
  history: Facts,
  account: LockedAccount,
  asked: readonly ReturnFact[],
  { day, asOf, policy, at }: PlanTerms,
): Plan {
  const { balance } = account
  const place = { afterSeq: account.entries, day, earnedAt: Date.parse(at) / 1000 }
  const life = (facts: readonly ReturnFact[]): LifeState => {
    const awards = facts.filter(({ kind }) => kind === 'award')
    return replayFacts(
      history,
      awards,
      facts.flatMap((one) => eventOf(one, place)),
      asOf,
    )
  }
  const before = life([])
  const fresh = new Set(asked.map(({ id }) => id))
  const target = (after: LifeState) => targetOf(history, before, after, { balance, fresh })
  const taken = target(life(asked.filter(({ kind }) => kind !== 'paid')))
  const back = target(life(asked))
  // A shortfall that the points that paid can cover is not forgiven.
  const forgiven = policy === 'clamp' ? back.debt : 0
  const reclaimed = Math.max(0, before.forgiven - back.forgiven)
  return {
    day,
    now: target(before),
    taken: { ...taken, debt: taken.debt - forgiven },
    back: { ...back, debt: back.debt - forgiven },
    facts: [...asked, ...shortfall('forgiven', forgiven), ...shortfall('reclaimed', reclaimed)],
    forgiven,
    reclaimed,
  }
}

/** The fact of a forgiven shortfall, or of one that is settled later; none for 0 points. */
export function shortfall(kind: 'forgiven' | 'reclaimed', points: number): ReturnFact[] {
  return points === 0 ? [] : [{ id: newId(), kind, entryId: null, points, graceUntil: null }]
}
