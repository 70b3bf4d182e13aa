import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'

/**
 * Part of the server's page. A CSS animation shows it if no script has replaced the page after some
 * seconds.
 */
export function SlowLoadNotice(): ReactNode {
  return (
    <p className="late mx-auto flex max-w-[26rem] flex-wrap gap-x-3 px-[20px] py-4 text-small">
      <Trans id="slow.10">This is taking longer than usual.</Trans>
      {/* A link to the same page, which works without a script. */}
      {/* oxlint-disable-next-line jsx-a11y/anchor-is-valid -- empty is the page itself */}
      <a href="" className="text-brand-text underline">
        <Trans id="common.retry">Try again</Trans>
      </a>
    </p>
  )
}
