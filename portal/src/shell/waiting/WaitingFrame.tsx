import { useRouterState } from '@tanstack/react-router'
import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { useLateLoad } from './useLateLoad.ts'

/**
 * Shows a placeholder until there is a frame for the pages (`Shell`): while the first page loads,
 * and after login. Later the frame shows a placeholder in place of its page. What was shown before
 * stays until the file of the placeholder has arrived.
 */
export function WaitingFrame({ children }: { children: ReactNode }) {
  const isLate = useLateLoad()
  const isWaiting = useRouterState({
    select: ({ matches, isLoading }) =>
      // `main.tsx` has waited before it drew the first page.
      matches.length === 0
        ? isLoading
        : isLate &&
          !matches.some((match) => match.routeId === '/app' && match.status === 'success'),
  })
  const [Pending, setPending] = useState<ComponentType | null>(null)
  useEffect(() => {
    if (!isWaiting) return
    import('./PendingPage.tsx').then(
      ({ PendingPage }) => setPending(() => PendingPage),
      () => undefined,
    )
  }, [isWaiting])
  const isCovered = isWaiting && Pending !== null
  return (
    <>
      {isCovered && <Pending />}
      <div className={isCovered ? 'hidden' : 'contents'}>{children}</div>
    </>
  )
}
