import { Trans } from '@lingui/react/macro'
import WifiSlashIcon from 'virtual:icons/wifi-slash'
import type { ReactNode } from 'react'
import { Logo } from '../company/Logo.tsx'
import { PageFrame } from '../ui/page/PageFrame.tsx'
import { buttonClass } from '../ui/page/buttonClass.ts'

/**
 * The page that the service worker shows when the network is gone. It has no script: its link opens
 * the requested address again.
 */
export function OfflinePage(): ReactNode {
  return (
    <PageFrame width="form">
      <div className="flex flex-col items-start gap-5">
        <Logo />
        <h1 className="flex items-center gap-3 text-title-l">
          <WifiSlashIcon size={28} aria-hidden="true" className="shrink-0 text-warning" />
          <Trans id="off.title">No connection</Trans>
        </h1>
        <p className="text-ink2">
          <Trans id="off.page">
            The portal needs the network. It shows no saved data, because that may be out of date.
          </Trans>
        </p>
        {/* oxlint-disable-next-line jsx-a11y/anchor-is-valid -- empty is the page itself */}
        <a href="" className={buttonClass('filled', 'large')}>
          <Trans id="common.retry">Try again</Trans>
        </a>
      </div>
    </PageFrame>
  )
}
