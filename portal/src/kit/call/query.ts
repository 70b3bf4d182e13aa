import { QueryClient } from '@tanstack/react-query'
import { watchLanguage } from '../text/language.ts'
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

/** Marks what only this window knows: the server would not send it again. */
export const ownData = { isOwn: true }

// An answer has texts in the language in which it was asked. One that no screen shows is dropped,
// also while it is under way; the others are asked for again and stay until then, because a form
// over them must keep its input.
watchLanguage(() => {
  const isShown = { type: 'active' } as const
  queryClient.removeQueries({ type: 'inactive', predicate: ({ meta }) => meta !== ownData })
  queryClient.invalidateQueries(isShown).catch(() => undefined)
})

// No member data stays after a logout.
session.watch((info) => {
  if (info === null) queryClient.clear()
})
