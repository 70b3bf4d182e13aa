import { useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { Activity } from '@tillside/contract/activity'
import type { ReactNode } from 'react'
import { useMoney } from '../company/money.ts'
import { useOnline } from '../kit/device/online.ts'
import { useShopClock } from '../kit/text/clock.ts'
import { formatPoints } from '../kit/text/format.ts'
import { languageOf } from '../kit/text/name.ts'
import { paths } from '../paths.ts'
import { Button } from '../ui/page/Button.tsx'
import { isUndo, useKindTexts } from './useKindTexts.ts'

type RowProps = {
  item: Activity
  /** The clerk, in the list of a store. */
  clerk: string | null
  onUndo: () => void
}

/** One action: time, kind, member and what, and a button while it can be undone. */
export function ActivityRow({ item, clerk, onUndo }: RowProps): ReactNode {
  const { t } = useLingui()
  const online = useOnline()
  const name = useKindTexts().nameOf(item)
  const { timeOf } = useShopClock()
  const undo = t({ id: 'undo.open', message: 'Undo' })
  return (
    <li
      className={
        'grid min-h-16 grid-cols-[3.25rem_minmax(0,1fr)_auto] content-center items-baseline ' +
        'gap-x-3 break-inside-avoid border-t border-line py-2.5 last:border-b'
      }
    >
      <time dateTime={item.time} className="num text-small text-ink2">
        {timeOf(Date.parse(item.time)).slice(0, 5)}
      </time>
      <div
        className={
          'grid min-w-0 grid-cols-1 gap-x-4 medium:grid-cols-[16rem_minmax(0,1fr)] ' +
          'medium:items-baseline'
        }
      >
        <span className={`text-strong ${isUndo(item) ? 'text-ink2' : ''}`}>{name}</span>
        <span className="num min-w-0 text-small break-words text-ink2">
          <What item={item} />
          {clerk === null ? null : <span className="block">{clerk}</span>}
        </span>
      </div>
      {isUndoable(item) ? (
        <span className="print:hidden">
          <Button
            kind="outlined"
            size="small"
            aria-label={`${undo}, ${name}, ${item.memberName ?? ''}`}
            disabled={!online}
            reason={t({ id: 'off.short', message: "You're offline." })}
            onClick={onUndo}
          >
            {undo}
          </Button>
        </span>
      ) : null}
    </li>
  )
}

/** The masked member, and what was given or taken back. */
function What({ item }: { item: Activity }) {
  const money = useMoney()
  const { memberCode, memberName, giftName, couponName, points, amount } = item
  const details = [
    giftName ?? couponName,
    points === null ? null : formatPoints(points, true),
    amount === null ? null : money(amount),
  ]
  return (
    <>
      {memberCode === null ? null : (
        <Link
          {...paths.memberHome({ code: memberCode })}
          lang={languageOf(memberName ?? '')}
          className="text-ink underline underline-offset-2"
        >
          {memberName ?? memberCode}
        </Link>
      )}
      {details.map((detail) => (detail === null ? null : ` · ${detail}`))}
    </>
  )
}

function isUndoable({ cancellable, memberCode, entryId, couponCode }: Activity): boolean {
  return cancellable && memberCode !== null && (entryId !== null || couponCode !== null)
}
