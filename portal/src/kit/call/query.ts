import { QueryClient } from '@tanstack/react-query'
import { NoAnswer } from './failure.ts'
import { session } from './session.ts'

/** The cache of server answers; cleared at logout. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      gcTime: 5 * 60_000,
      refetchOnWindowFocus: false,
      // Only reads use this cache: a lost answer is requested once more, a refusal never.
      retry: (failures, error) => failures < 1 && error instanceof NoAnswer,
      throwOnError: false,
    },
  },
})

// No member data stays after a logout.
session.watch((info) => {
  if (info === null) queryClient.clear()
})
