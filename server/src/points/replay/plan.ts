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
  /** The points that had paid for the goods, and that money, by the redemption's entry. */
  paid: readonly {
    entryId: string
    points: number
    amount: string | null
    graceUntil: string | null
  }[]
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
    ...paid.map(({ entryId, points, graceUntil }): ReturnFact => {
      return { id: newId(), kind: 'paid', entryId, points, graceUntil }
    }),
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
  /** The change of the forgiven points; below 0 if more of them are settled than forgiven. */
  forgiven: number
  /** The forgiven points that are settled by points that had paid. */
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
  const place = {
    owner: account.memberId,
    afterSeq: account.entries,
    day,
    earnedAt: Date.parse(at) / 1000,
  }
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
  const now = target(before)
  // An older debt, from before the company chose `clamp`, stays.
  const waived = policy === 'clamp' ? Math.max(0, back.debt - now.debt) : 0
  return {
    day,
    now,
    taken: { ...taken, debt: taken.debt - waived },
    back: { ...back, debt: back.debt - waived },
    facts: waived === 0 ? asked : [...asked, { ...shortfall, id: newId(), points: waived }],
    forgiven: waived + back.forgiven - before.forgiven,
    reclaimed: Math.max(0, taken.forgiven - back.forgiven),
  }
}

const shortfall = { kind: 'forgiven', entryId: null, graceUntil: null } as const
