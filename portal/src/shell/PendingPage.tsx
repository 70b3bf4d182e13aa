import { Trans } from '@lingui/react/macro'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState, type ReactNode } from 'react'
import { Button } from '../ui/Button.tsx'
import { PageFrame } from '../ui/PageFrame.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'

/** A page that is on its way: its shape, then words after 3 s, then a way out after 10 s. */
export function PendingPage(): ReactNode {
  const router = useRouter()
  const [waited, setWaited] = useState(0)
  useEffect(() => {
    const timers = [3, 10].map((seconds) => setTimeout(() => setWaited(seconds), seconds * 1000))
    return () => timers.forEach(clearTimeout)
  }, [])
  return (
    <PageFrame width="page">
      <div className="grid gap-3">
        <Skeleton width="16rem" height="2rem" />
        <Skeleton width="10rem" height="1.25rem" />
        <div className="mt-5 grid gap-3 medium:grid-cols-2">
          <Skeleton height="5rem" radius="card" />
          <Skeleton height="5rem" radius="card" />
        </div>
        <output className="mt-3 grid justify-items-start gap-3 text-body text-ink2">
          {waited === 3 && <Trans id="slow.3">Still loading…</Trans>}
          {waited === 10 && <Trans id="slow.10">This is taking longer than usual.</Trans>}
        </output>
        {waited === 10 && (
          <div>
            <Button kind="outlined" onClick={() => void router.invalidate()}>
              <Trans id="common.retry">Try again</Trans>
            </Button>
          </div>
        )}
      </div>
    </PageFrame>
  )
}
