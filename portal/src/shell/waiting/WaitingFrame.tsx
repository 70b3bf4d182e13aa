import { useRouterState } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { later } from '../../ui/load/later.tsx'
import { useLateLoad } from './useLateLoad.ts'

const Pending = later(async () => (await import('./PendingPage.tsx')).PendingPage)

/**
 * Shows a placeholder while the first page is loading, or after login the frame of all pages. The
 * frame itself (`Shell`) shows it in place of its page.
 */
export function WaitingFrame({ children }: { children: ReactNode }) {
  const isLate = useLateLoad()
  const isCovered = useRouterState({
    select: ({ matches, isLoading }) =>
      // The first page is late already: it is drawn when it is loaded, or after some time.
      matches.length === 0
        ? isLoading
        : isLate && matches.every(({ routeId }) => routeId !== '/app'),
  })
  return (
    <>
      {isCovered && <Pending />}
      <div className={isCovered ? 'hidden' : 'contents'}>{children}</div>
    </>
  )
}
