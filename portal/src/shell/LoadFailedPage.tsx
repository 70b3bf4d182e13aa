import { Trans } from '@lingui/react/macro'
import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Button } from '../ui/page/Button.tsx'
import { Notice } from '../ui/page/Notice.tsx'
import { PageFrame } from '../ui/page/PageFrame.tsx'

/** Shown if the code or data of a page could not be loaded; trying again may succeed. */
export function LoadFailedPage(): ReactNode {
  const router = useRouter()
  return (
    <PageFrame width="form">
      <Notice
        tone="danger"
        action={
          <Button kind="outlined" size="small" onClick={() => void router.invalidate()}>
            <Trans id="common.retry">Try again</Trans>
          </Button>
        }
      >
        <h1>
          <Trans id="common.loadFailed">This could not be loaded.</Trans>
        </h1>
      </Notice>
    </PageFrame>
  )
}
