import { Trans, useLingui } from '@lingui/react/macro'
import ArrowsClockwiseIcon from 'virtual:icons/arrows-clockwise'
import { useState, type ReactNode } from 'react'
import { hasUnsavedForm } from '../kit/store/draft.ts'
import { deviceStorage, clearStorage } from '../kit/store/storage.ts'
import { valueCallPending } from '../kit/call/portalState.ts'
import { useStore } from '../kit/store/store.ts'
import { logOutAndWait } from '../staff/logout.ts'
import { Button } from '../ui/page/Button.tsx'
import { later } from '../ui/load/later.tsx'

const DiscardSheet = later(
  async () => (await import('../kit/action/DiscardSheet.tsx')).DiscardSheet,
)

/** An upgrade keeps the list of manual pages that were read (specification, section 2). */
const keptKeys = new Set(['tillside:manual'])

/** How long the upgrade waits for the logout request; in ms. */
const logoutTimeoutMs = 2000

/** Offers the newer version on the server. The banner pushes the page down and covers nothing. */
export function UpgradeBanner(): ReactNode {
  const { t } = useLingui()
  const moving = useStore(valueCallPending)
  const [busy, setBusy] = useState(false)
  const [asking, setAsking] = useState(false)

  async function upgrade(): Promise<void> {
    setAsking(false)
    setBusy(true)
    const left = logOutAndWait()
    clearStorage(deviceStorage, keptKeys)
    await Promise.race([left, new Promise((resolve) => setTimeout(resolve, logoutTimeoutMs))])
    location.reload()
  }

  return (
    <div
      className={
        'flex min-h-12 flex-wrap items-center justify-between gap-x-4 bg-info-tint px-[16px] ' +
        'medium:px-[24px] transition-[margin] duration-[240ms] ease-paper starting:-mt-12 ' +
        'still:transition-none'
      }
    >
      <p className="flex min-w-48 flex-1 items-center gap-2.5 py-1 text-small text-ink">
        <ArrowsClockwiseIcon size={20} aria-hidden="true" className="shrink-0 text-info" />
        <span>
          <strong className="font-medium">
            <Trans id="upd.text">A new version is available</Trans>
          </strong>{' '}
          <span className="text-ink2">
            <Trans id="upd.note">You will need to log in again.</Trans>
          </span>
        </span>
      </p>
      <Button
        kind="text"
        size="small"
        busy={busy}
        disabled={moving}
        {...(moving
          ? { reason: t({ id: 'upd.wait', message: 'Finish the redemption first' }) }
          : {})}
        // Asks before unsaved input is lost.
        onClick={() => (hasUnsavedForm() ? setAsking(true) : void upgrade())}
      >
        <Trans id="upd.do">Upgrade Now</Trans>
      </Button>
      {asking && (
        <DiscardSheet open onKeep={() => setAsking(false)} onDiscard={() => void upgrade()} />
      )}
    </div>
  )
}
