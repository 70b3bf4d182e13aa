import { QueryClient } from '@tanstack/react-query'
import { NoAnswer } from './failure.ts'
import { session } from './session.ts'

/** What the server said, kept for as long as the clerk is logged in. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      gcTime: 5 * 60_000,
      refetchOnWindowFocus: false,
      // Reads only: a lost answer is asked for once more, a refusal never.
      retry: (failures, error) => failures < 1 && error instanceof NoAnswer,
      throwOnError: false,
    },
  },
})

// Logout leaves nothing of a member behind.
session.watch((info) => {
  if (info === null) queryClient.clear()
})
