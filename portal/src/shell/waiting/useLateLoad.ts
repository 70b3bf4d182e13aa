import { useRouterState } from '@tanstack/react-router'
import { useDelayed } from '../../ui/page/useDelayed.ts'

/** Whether the router has been loading a page for so long that it needs a placeholder. */
export function useLateLoad(): boolean {
  return useDelayed(useRouterState({ select: ({ isLoading }) => isLoading }))
}
