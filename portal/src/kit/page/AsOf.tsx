import { useLingui } from '@lingui/react/macro'
import ArrowsClockwiseIcon from 'virtual:icons/arrows-clockwise'
import { useEffect, useState } from 'react'
import { useOnline } from '../device/online.ts'
import { useShopClock } from '../text/clock.ts'
import { Button } from '../../ui/page/Button.tsx'

const staleAfterMs = 5 * 60_000

type AsOfProps = { updatedAt: number; busy: boolean; onRefresh: () => void }

/** Shows the age of the data, once it is old enough to matter. */
export function AsOf({ updatedAt, busy, onRefresh }: AsOfProps) {
  const { t } = useLingui()
  const online = useOnline()
  const clock = useShopClock()
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000)
    return () => clearInterval(timer)
  }, [])
  if (updatedAt === 0 || (online && now - updatedAt < staleAfterMs)) return null
  const time = clock.timeOf(updatedAt)
  return (
    <p className="num flex items-center justify-end gap-2 text-small text-ink2">
      {t({ id: 'home.asOf', message: `as of ${time}` })}
      {online ? (
        <Button
          kind="text"
          size="small"
          busy={busy}
          icon={<ArrowsClockwiseIcon size={20} aria-hidden="true" />}
          onClick={onRefresh}
        >
          {t({ id: 'home.refresh', message: 'Refresh' })}
        </Button>
      ) : null}
    </p>
  )
}
