import { useRouterState } from '@tanstack/react-router'
import { useDelayed } from '../../ui/page/useDelayed.ts'

/**
 * True when the router takes long to load another page, or a page that failed before. False while
 * a page that is shown loads only its data again.
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
