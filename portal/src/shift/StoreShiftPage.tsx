import { useLingui } from '@lingui/react/macro'
import { storeActivity } from '@tillside/contract/activity'
import type { Data } from '@tillside/contract/wire/endpoint'
import { fullName } from '@tillside/contract/rules/person'
import { type ReactNode, useState } from 'react'
import { call } from '../kit/call/call.ts'
import { Chips } from './Chips.tsx'
import { Notes } from './Notes.tsx'
import { ShiftDay } from './ShiftDay.tsx'
import { ShiftFrame } from './ShiftFrame.tsx'

/** The actions of all clerks at this store today, for those with `storeShift`. */
export function StoreShiftPage(): ReactNode {
  return (
    <ShiftFrame view="store" read={(signal) => call(storeActivity, {}, { signal, quiet: true })}>
      {(day) => <StoreDay day={day} />}
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
