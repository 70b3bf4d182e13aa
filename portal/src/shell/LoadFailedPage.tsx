import { Trans } from '@lingui/react/macro'
import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { LoadFailed } from '../kit/page/LoadFailed.tsx'
import { LostFile } from '../ui/load/later.tsx'
import { PageFrame } from '../ui/page/PageFrame.tsx'

/** Shown if the code or data of a page could not be loaded; trying again may succeed. */
export function LoadFailedPage({ error }: { error: unknown }): ReactNode {
  const router = useRouter()
  // Some browsers keep a failure to load a file until the page is loaded again.
  const again = () => (error instanceof LostFile ? location.reload() : void router.invalidate())
  return (
    <PageFrame width="form">
      <LoadFailed error={error} onAgain={again}>
        <h1>
          <Trans id="common.loadFailed">This could not be loaded.</Trans>
        </h1>
      </LoadFailed>
    </PageFrame>
  )
}
