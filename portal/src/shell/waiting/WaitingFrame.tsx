import { useRouterState } from '@tanstack/react-router'
import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { useLateLoad } from './useLateLoad.ts'

/**
 * Shows a placeholder while the first page is loading, or after login the frame of all pages. The
 * frame itself (`Shell`) shows it in place of its page. The page before stays until the file of the
 * placeholder has arrived.
 */
export function WaitingFrame({ children }: { children: ReactNode }) {
  const isLate = useLateLoad()
  const isWaiting = useRouterState({
    select: ({ matches, isLoading }) =>
      // The first page is late already: it is drawn when it is loaded, or after some time.
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
