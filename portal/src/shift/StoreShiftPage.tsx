import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { storeActivity } from '@tillside/contract/activity'
import type { Data } from '@tillside/contract/wire/endpoint'
import { fullName } from '@tillside/contract/rules/person'
import { type ReactNode, useState } from 'react'
import { useToday } from '../company/calendar.ts'
import { call } from '../kit/call/call.ts'
import { AsOf } from '../kit/page/AsOf.tsx'
import { Loaded } from '../kit/page/Loaded.tsx'
import { useLanguage } from '../kit/text/language.ts'
import { Chips } from './Chips.tsx'
import { Notes } from './Notes.tsx'
import { ShiftDay } from './ShiftDay.tsx'
import { DaySkeleton, ShiftFrame } from './ShiftFrame.tsx'

/** The actions of all clerks at this store today, for those with `storeShift`. */
export function StoreShiftPage(): ReactNode {
  const { t } = useLingui()
  const today = useToday()
  const language = useLanguage()
  const query = useQuery({
    queryKey: ['shift', 'store', today, language],
    queryFn: ({ signal }) => call(storeActivity, {}, { signal, quiet: true }),
    staleTime: 0,
  })
  return (
    <ShiftFrame view="store" updatedAt={query.dataUpdatedAt}>
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
        {(day) => <StoreDay day={day} />}
      </Loaded>
    </ShiftFrame>
  )
}

function StoreDay({ day: { items, totals, clerks } }: { day: Data<typeof storeActivity> }) {
  const { t } = useLingui()
  const [account, setAccount] = useState('')
  const chosen = clerks.find((clerk) => clerk.account === account)
  const names = new Map(clerks.map((clerk) => [clerk.account, fullName(clerk)]))
  const everyone = { value: '', label: t({ id: 'shift.everyone', message: 'All clerks' }) }
  const options = clerks.map((clerk) => ({ value: clerk.account, label: fullName(clerk) }))
  const shown = chosen ? items.filter((item) => item.account === account) : items
  return (
    <>
      {clerks.length < 2 ? null : (
        <Chips
          label={t({ id: 'shift.clerks', message: 'Clerk' })}
          options={[everyone, ...options]}
          value={chosen ? account : ''}
          onChange={setAccount}
        />
      )}
      {chosen ? <p className="hidden text-strong print:block">{fullName(chosen)}</p> : null}
      <ShiftDay
        items={shown}
        totals={chosen?.totals ?? totals}
        clerkOf={({ account: by }) => (chosen ? null : (names.get(by) ?? by))}
      >
        <Notes />
      </ShiftDay>
    </>
  )
}
