import { useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type Activity, staffActivity } from '@tillside/contract/activity'
import type { LoginInfo } from '@tillside/contract/auth'
import { type ReactNode, useState } from 'react'
import { useDates, useToday } from '../company/calendar.ts'
import { createCouponUndo } from '../coupon/redeem.ts'
import type { Action } from '../kit/action/action.ts'
import type { Giving } from '../kit/action/AllowanceHint.tsx'
import { AsOf } from '../kit/page/AsOf.tsx'
import { PageTitle } from '../kit/page/PageTitle.tsx'
import { call } from '../kit/call/call.ts'
import { formatPoints } from '../kit/text/format.ts'
import { Loaded } from '../kit/page/Loaded.tsx'
import { fullName } from '@tillside/contract/rules/person'
import { languageOf } from '../kit/text/name.ts'
import { withIndex } from '../kit/page/withIndex.ts'
import { useOnline } from '../kit/device/online.ts'
import { useSession } from '../kit/call/session.ts'
import { UndoSheet } from '../kit/action/UndoSheet.tsx'
import { paths } from '../paths.ts'
import { createUndo } from '../points/spend.ts'
import { Button } from '../ui/page/Button.tsx'
import { EmptyLine } from '../ui/page/EmptyLine.tsx'
import { PageFrame } from '../ui/page/PageFrame.tsx'
import { Skeleton } from '../ui/page/Skeleton.tsx'

/** The clerk's activity today, with buttons for entries that can still be undone. */
export function ShiftPage(): ReactNode {
  const { t } = useLingui()
  const clerk = useSession()
  const today = useToday()
  const date = useDates()(today)
  const [asked, setAsked] = useState<Activity | null>(null)
  const [open, setOpen] = useState(false)
  const query = useQuery({
    queryKey: ['shift', today],
    queryFn: ({ signal }) => call(staffActivity, {}, { signal, quiet: true }),
    staleTime: 0,
  })
  if (clerk === null) return null
  return (
    <PageFrame width="page">
      <div className="mx-auto flex w-full max-w-[44rem] flex-col gap-4">
        <PageTitle
          back={paths.modules()}
          title={t({ id: 'shift.title', message: 'My shift' })}
          note={`${fullName(clerk.staff)} · ${clerk.store.name} · ${date}`}
        />
        <AsOf
          updatedAt={query.dataUpdatedAt}
          busy={query.isFetching}
          onRefresh={() => void query.refetch()}
        />
        <Loaded
          query={query}
          name={t({ id: 'shift.list', message: 'Activity' })}
          skeleton={<RowSkeletons />}
        >
          {({ items }) =>
            items.length === 0 ? (
              <EmptyLine>{t({ id: 'shift.empty', message: 'Nothing yet today' })}</EmptyLine>
            ) : (
              <ul className="flex flex-col">
                {withIndex(items).map(([key, item]) => (
                  <ActivityRow
                    key={key}
                    item={item}
                    onUndo={() => {
                      setAsked(item)
                      setOpen(true)
                    }}
                  />
                ))}
              </ul>
            )
          }
        </Loaded>
      </div>
      {asked === null ? null : (
        <Undo
          key={`${asked.time} ${asked.entryId} ${asked.couponCode}`}
          asked={asked}
          clerk={clerk}
          open={open}
          onClose={() => setOpen(false)}
        />
      )}
    </PageFrame>
  )
}

function useActionNames(): (action: string) => string {
  const { t } = useLingui()
  const names = new Map([
    ['points.redeem', t({ id: 'shift.points', message: 'Points redeemed' })],
    ['points.cancel', t({ id: 'shift.pointsUndone', message: 'Points redemption undone' })],
    ['coupon.redeem', t({ id: 'shift.coupon', message: 'Coupon redeemed' })],
    ['coupon.cancelRedeem', t({ id: 'shift.couponUndone', message: 'Coupon redemption undone' })],
    ['coupon.issue', t({ id: 'shift.issued', message: 'Coupon issued' })],
    ['coupon.issueByPoints', t({ id: 'shift.bought', message: 'Coupon issued for points' })],
    ['member.create', t({ id: 'shift.joined', message: 'Member registered' })],
    ['member.update', t({ id: 'shift.profile', message: 'Profile changed' })],
    ['member.resign', t({ id: 'shift.resigned', message: 'Terms agreed to again' })],
    ['member.reveal', t({ id: 'shift.revealed', message: 'Contact details shown' })],
  ])
  // A newer server may have actions without a text here; these are shown by their name.
  return (action) => names.get(action) ?? action
}

function ActivityRow({ item, onUndo }: { item: Activity; onUndo: () => void }) {
  const { t } = useLingui()
  const online = useOnline()
  const name = useActionNames()(item.action)
  const time = useDates()(item.time, 'long').slice(-8)
  const undo = t({ id: 'undo.open', message: 'Undo' })
  const details = [item.couponName, item.points === null ? null : formatPoints(item.points, true)]
  return (
    <li
      className={
        'grid min-h-16 grid-cols-[4.5rem_minmax(0,1fr)_auto] items-center gap-x-3 border-t ' +
        'border-line py-2 last:border-b'
      }
    >
      <span className="num text-small text-ink2">{time}</span>
      <span className="min-w-0">
        <span className="block">{name}</span>
        <span className="num block text-small break-words text-ink2">
          {item.memberCode === null ? null : (
            <Link
              {...paths.memberHome({ code: item.memberCode })}
              lang={languageOf(item.memberName ?? '')}
              className="text-ink2 underline underline-offset-2"
            >
              {item.memberName ?? item.memberCode}
            </Link>
          )}
          {details.map((detail) => (detail === null ? null : ` · ${detail}`))}
        </span>
      </span>
      {isUndoable(item) ? (
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
      ) : null}
    </li>
  )
}

function isUndoable({ cancellable, memberCode, entryId, couponCode }: Activity): boolean {
  return cancellable && memberCode !== null && (entryId !== null || couponCode !== null)
}

type UndoProps = { asked: Activity; clerk: LoginInfo; open: boolean; onClose: () => void }

function Undo({ asked, clerk, open, onClose }: UndoProps) {
  const { t } = useLingui()
  const queries = useQueryClient()
  const { memberCode, memberName, entryId, couponCode } = asked
  const name = memberName ?? memberCode ?? ''
  const n = formatPoints(Math.abs(asked.points ?? 0))
  const coupon = asked.couponName ?? couponCode ?? ''
  if (memberCode === null) return null
  const make = (reason: string): Action<Giving> =>
    entryId === null
      ? createCouponUndo(clerk, { memberCode, couponCode: couponCode ?? '', reason })
      : createUndo(clerk, { memberCode, entryId, reason })
  return (
    <UndoSheet
      open={open}
      note={
        entryId === null
          ? t({ id: 'undo.coupon', message: `${coupon} can be used again by ${name}.` })
          : t({ id: 'undo.points', message: `${n} points go back to ${name}.` })
      }
      make={make}
      onAnswered={() => {
        void queries.invalidateQueries({ queryKey: ['shift'] })
        void queries.invalidateQueries({ queryKey: ['member', memberCode] })
      }}
      onClose={onClose}
    />
  )
}

function RowSkeletons() {
  return (
    <div className="flex flex-col gap-3">
      <Skeleton height="3rem" />
      <Skeleton height="3rem" />
      <Skeleton height="3rem" />
    </div>
  )
}
