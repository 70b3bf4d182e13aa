import type { ReactNode } from 'react'
import { Waiting } from '../../kit/page/Waiting.tsx'
import { PageFrame } from '../../ui/page/PageFrame.tsx'
import { Skeleton } from '../../ui/page/Skeleton.tsx'

/** Shown while a page is loading. */
export function PendingPage(): ReactNode {
  return (
    <PageFrame width="page">
      <Waiting skeleton={<Shape />} onAgain={() => location.reload()} />
    </PageFrame>
  )
}

function Shape() {
  return (
    <div className="grid gap-3">
      <Skeleton width="16rem" height="2rem" />
      <Skeleton width="10rem" height="1.25rem" />
      <div className="mt-5 grid gap-3 medium:grid-cols-2">
        <Skeleton height="5rem" radius="card" />
        <Skeleton height="5rem" radius="card" />
      </div>
    </div>
  )
}
