import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { staffActivity } from '@tillside/contract/activity'
import type { ReactNode } from 'react'
import { useToday } from '../company/calendar.ts'
import { call } from '../kit/call/call.ts'
import { AsOf } from '../kit/page/AsOf.tsx'
import { Loaded } from '../kit/page/Loaded.tsx'
import { useLanguage } from '../kit/text/language.ts'
import { NoteButton } from './NoteButton.tsx'
import { Notes } from './Notes.tsx'
import { ShiftDay } from './ShiftDay.tsx'
import { DaySkeleton, ShiftFrame } from './ShiftFrame.tsx'

/** The clerk's actions today: totals, notes for the next clerk, and each action with its undo. */
export function ShiftPage(): ReactNode {
  const { t } = useLingui()
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
        {({ items, totals }) => (
          <ShiftDay items={items} totals={totals} clerkOf={() => null}>
            <Notes />
          </ShiftDay>
        )}
      </Loaded>
    </ShiftFrame>
  )
}
