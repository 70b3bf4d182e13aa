import { useLingui } from '@lingui/react/macro'
import type { Activity, ActivityKind, ActivityTotal } from '@tillside/contract/activity'
import { type ReactNode, useState } from 'react'
import { useSession } from '../kit/call/session.ts'
import { withIndex } from '../kit/page/withIndex.ts'
import { EmptyLine } from '../ui/page/EmptyLine.tsx'
import { ActivityRow } from './ActivityRow.tsx'
import { Chips } from './Chips.tsx'
import { Totals } from './Totals.tsx'
import { UndoActivity } from './UndoActivity.tsx'
import { useKindTexts } from './useKindTexts.ts'

type ShiftDayProps<Item extends Activity> = {
  items: readonly Item[]
  totals: readonly ActivityTotal[]
  /** The name of an item's clerk; null in one's own shift. */
  clerkOf: (item: Item) => string | null
  /** Between totals and list. */
  children?: ReactNode
}

/** A day: its totals, a filter by kind, and the actions. */
export function ShiftDay<Item extends Activity>(props: ShiftDayProps<Item>): ReactNode {
  const { items, totals, clerkOf, children } = props
  const { t } = useLingui()
  const clerk = useSession()
  const { kinds } = useKindTexts()
  const [kind, setKind] = useState<ActivityKind | 'all'>('all')
  const [asked, setAsked] = useState<Activity | null>(null)
  const [open, setOpen] = useState(false)
  const isKnown = totals.some((total) => total.kind === kind)
  const shown = isKnown ? items.filter((item) => item.kind === kind) : items
  const all = { value: 'all' as const, label: t({ id: 'shift.all', message: 'All' }) }
  const options = totals.map((total) => ({ value: total.kind, label: kinds[total.kind] }))
  return (
    <>
      {totals.length === 0 ? null : <Totals totals={totals} />}
      {children}
      {options.length < 2 ? null : (
        <Chips
          label={t({ id: 'shift.filter', message: 'Show' })}
          options={[all, ...options]}
          value={isKnown ? kind : 'all'}
          onChange={setKind}
        />
      )}
      {shown.length === 0 ? (
        <EmptyLine>{t({ id: 'shift.empty', message: 'Nothing yet today' })}</EmptyLine>
      ) : (
        <ul className="flex flex-col">
          {withIndex(shown).map(([key, item]) => (
            <ActivityRow
              key={key}
              item={item}
              clerk={clerkOf(item)}
              onUndo={() => {
                setAsked(item)
                setOpen(true)
              }}
            />
          ))}
        </ul>
      )}
      {asked === null || clerk === null ? null : (
        <UndoActivity
          key={`${asked.time} ${asked.entryId} ${asked.couponCode}`}
          asked={asked}
          clerk={clerk}
          open={open}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
