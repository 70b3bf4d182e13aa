import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { paths } from '../paths.ts'
import { buttonClass } from '../ui/page/buttonClass.ts'
import { PageFrame } from '../ui/page/PageFrame.tsx'

function decodedPath(): string {
  try {
    return decodeURI(location.pathname)
  } catch {
    return location.pathname
  }
}

/** Shown for an address that does not exist, or that this clerk may not open. */
export function NotFoundPage(): ReactNode {
  return (
    <PageFrame width="form">
      <div className="grid gap-3">
        <h1 className="text-title-l">
          <Trans id="e404.title">This page doesn't exist</Trans>
        </h1>
        <p className="text-small break-all text-ink3">{decodedPath()}</p>
        <p className="text-body text-ink2">
          <Trans id="e404.hint">
            Check the address. Your account may not have access to this page.
          </Trans>
        </p>
        <Link {...paths.modules()} className={`${buttonClass('filled', 'large')} mt-4`}>
          <Trans id="e404.home">Back to home</Trans>
        </Link>
      </div>
    </PageFrame>
  )
}
