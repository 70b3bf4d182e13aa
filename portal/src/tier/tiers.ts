import { queryOptions, useQuery } from '@tanstack/react-query'
import { getDictionary } from '@tillside/contract/company'
import { listTiers } from '@tillside/contract/tier'
import { call } from '../kit/call/call.ts'
import type { TierTone } from '../ui/paper/TierSurface.tsx'
import { tierTone } from './progress.ts'

/** The company's tiers with their thresholds; needs the permission `homeMembertier`. */
export const tiersQuery = queryOptions({
  queryKey: ['tiers'],
  queryFn: ({ signal }) => call(listTiers, {}, { signal, quiet: true }),
  staleTime: 5 * 60_000,
})

export type TierRank = {
  tone: TierTone
  /** The number of filled dots and of all; null until the company's tiers are loaded. */
  pips: { filled: number; total: number } | null
}

/**
 * A tier's rank among the company's tiers.
 * @param code null if the clerk may not see the tier
 */
export function useTierRank(code: string | null): TierRank {
  const { data } = useQuery({
    queryKey: ['dictionary', 'tier'],
    queryFn: ({ signal }) => call(getDictionary, { types: ['tier'] }, { signal, quiet: true }),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: code !== null,
  })
  const tiers = data?.tier ?? []
  const rank = tiers.findIndex((tier) => tier.code === code)
  return {
    tone: tierTone(code ?? '', rank),
    pips: rank < 0 ? null : { filled: rank + 1, total: tiers.length },
  }
}
