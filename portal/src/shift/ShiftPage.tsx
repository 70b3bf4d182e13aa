import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { type Activity, staffActivity } from '@tillside/contract/activity'
import type { ReactNode } from 'react'
import { useToday } from '../company/calendar.ts'
import { call } from '../kit/call/call.ts'
import { AsOf } from '../kit/page/AsOf.tsx'
import { Loaded } from '../kit/page/Loaded.tsx'
import { OneSlip } from '../slip/OneSlip.tsx'
import { useScannedOperation } from '../slip/useScannedOperation.ts'
import { EmptyLine } from '../ui/page/EmptyLine.tsx'
import { useLanguage } from '../kit/text/language.ts'
import { NoteButton } from './NoteButton.tsx'
import { Notes } from './Notes.tsx'
import { ShiftDay } from './ShiftDay.tsx'
import { DaySkeleton, ShiftFrame } from './ShiftFrame.tsx'

/** The clerk's actions today: totals, notes for the next clerk, and each action with its undo. */
export function ShiftPage(): ReactNode {
  const { t } = useLingui()
  const operation = useScannedOperation()
  const today = useToday()
  const language = useLanguage()
  const query = useQuery({
    queryKey: ['shift', 'own', today, language],
    queryFn: ({ signal }) => call(staffActivity, {}, { signal, quiet: true }),
    staleTime: 0,
  })
  return (
    <ShiftFrame view="own" actions={<NoteButton />} updatedAt={query.dataUpdatedAt}>
      <AsOf
        updatedAt={query.dataUpdatedAt}
        busy={query.isFetching}
        onRefresh={() => void query.refetch()}
      />
      <Loaded
        query={query}
        name={t({ id: 'shift.list', message: 'Activity' })}
        skeleton={<DaySkeleton />}
      >
        {({ items, totals }) =>
          operation === null ? (
            <ShiftDay items={items} totals={totals} clerkOf={() => null}>
              <Notes />
            </ShiftDay>
          ) : (
            <ScannedSlip items={items.filter((item) => item.operation === operation)} />
          )
        }
      </Loaded>
    </ShiftFrame>
  )
}

/** The actions of one scanned slip, each with its undo. */
function ScannedSlip({ items }: { items: readonly Activity[] }) {
  const { t } = useLingui()
  return (
    <>
      <OneSlip />
      {items.length === 0 ? (
        <EmptyLine>
          {t({ id: 'slip.none', message: 'This slip is not in your shift today.' })}
        </EmptyLine>
      ) : (
        <ShiftDay items={items} totals={[]} clerkOf={() => null} />
      )}
    </>
  )
}
