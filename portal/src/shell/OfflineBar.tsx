import { Trans } from '@lingui/react/macro'
import CheckCircleIcon from 'virtual:icons/check-circle'
import WifiSlashIcon from 'virtual:icons/wifi-slash'
import { type ReactNode, useState } from 'react'
import { useOnline } from '../kit/device/online.ts'
import { useDelayed } from '../ui/page/useDelayed.ts'

/** How long the bar says that the network is back; in ms. */
const backOnlineMs = 5000

/**
 * Says that the network is gone and what that stops, and later that it is back. It pushes the page
 * down instead of covering it. The live region is always present, so that changes are read out.
 */
export function OfflineBar(): ReactNode {
  const online = useOnline()
  const [wasOffline, setWasOffline] = useState(!online)
  if (!online && !wasOffline) setWasOffline(true)
  const settled = useDelayed(online, backOnlineMs)
  return (
    <output className="block">
      {!online ? (
        <span className={`${bar} bg-warning-tint`}>
          <WifiSlashIcon size={20} aria-hidden="true" className="shrink-0 text-warning" />
          <Trans id="off.bar">You're offline. Redeeming is paused.</Trans>
        </span>
      ) : wasOffline && !settled ? (
        <span className={`${bar} bg-success-tint`}>
          <CheckCircleIcon size={20} aria-hidden="true" className="shrink-0 text-success" />
          <Trans id="off.back">Back online</Trans>
        </span>
      ) : null}
    </output>
  )
}

const bar = 'flex items-center justify-center gap-2 px-4 py-2 text-small'
