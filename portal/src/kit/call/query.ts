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
      // Only reads use this cache: a lost answer is requested once more. A refusal and a read that
      // took too long are shown instead.
      retry: (failures, error) => failures < 1 && error instanceof NoAnswer && !error.timedOut,
      throwOnError: false,
    },
  },
})

// No member data stays after a logout.
session.watch((info) => {
  if (info === null) queryClient.clear()
})
