import { Trans, useLingui } from '@lingui/react/macro'
import { WifiSlashIcon } from '@phosphor-icons/react/dist/csr/WifiSlash'
import { useEffect, useRef, type ReactNode } from 'react'
import { useOnline } from '../kit/online.ts'
import { showToast } from '../ui/toastStore.ts'

/** Says that the network is gone and what that stops. The region stays, so that it is read out. */
export function OfflineBar(): ReactNode {
  const { t } = useLingui()
  const online = useOnline()
  const was = useRef(online)
  const back = t({ id: 'off.back', message: 'Back online' })
  useEffect(() => {
    if (online && !was.current) showToast({ tone: 'success', text: back })
    was.current = online
  }, [online, back])
  return (
    <output className="block">
      {online ? null : (
        <span
          className={'flex items-center justify-center gap-2 bg-warning-tint px-4 py-2 text-small'}
        >
          <WifiSlashIcon size={20} aria-hidden="true" className="shrink-0 text-warning" />
          <Trans id="off.bar">You're offline. Redeeming is paused.</Trans>
        </span>
      )}
    </output>
  )
}
