import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'

/** Stands in the server's page, unseen, and shows itself when no script has come to replace it. */
export function SlowLoadNotice(): ReactNode {
  return (
    <p className="late mx-auto flex max-w-[26rem] flex-wrap gap-x-3 px-[20px] py-4 text-small">
      <Trans id="slow.10">This is taking longer than usual.</Trans>
      {/* The same address once more, which works without a script. */}
      {/* oxlint-disable-next-line jsx-a11y/anchor-is-valid -- empty is the page itself */}
      <a href="" className="text-brand-text underline">
        <Trans id="common.retry">Try again</Trans>
      </a>
    </p>
  )
}
