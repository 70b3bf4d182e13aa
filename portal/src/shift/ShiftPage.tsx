import { useLingui } from '@lingui/react/macro'
import { type Activity, staffActivity } from '@tillside/contract/activity'
import type { ReactNode } from 'react'
import { call } from '../kit/call/call.ts'
import { OneSlip } from '../slip/OneSlip.tsx'
import { useScannedOperation } from '../slip/useScannedOperation.ts'
import { EmptyLine } from '../ui/page/EmptyLine.tsx'
import { NoteButton } from './NoteButton.tsx'
import { Notes } from './Notes.tsx'
import { ShiftDay } from './ShiftDay.tsx'
import { ShiftFrame } from './ShiftFrame.tsx'

/** The clerk's actions today: totals, notes for the next clerk, and each action with its undo. */
export function ShiftPage(): ReactNode {
  const operation = useScannedOperation()
  return (
    <ShiftFrame
      view="own"
      actions={<NoteButton />}
      read={(signal) => call(staffActivity, {}, { signal, quiet: true })}
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
