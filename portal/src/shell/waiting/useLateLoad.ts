import { useRouterState } from '@tanstack/react-router'
import { useDelayed } from '../../ui/page/useDelayed.ts'

/**
 * Whether the router has been loading another page, or one that has failed, for so long that it
 * needs a placeholder. A page that loads its own data again stays.
 */
export function useLateLoad(): boolean {
  const isWaiting = useRouterState({
    select: ({ isLoading, location, resolvedLocation, matches }) =>
      isLoading &&
      (location.pathname !== resolvedLocation?.pathname ||
        matches.some(({ status }) => status !== 'success')),
  })
  return useDelayed(isWaiting)
}
