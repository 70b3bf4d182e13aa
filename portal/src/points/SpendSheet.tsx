import { useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useDates } from '../company/calendar.ts'
import { useConfig } from '../company/config.ts'
import { isBusy } from '../kit/action.ts'
import { ActionButtons } from '../kit/ActionButtons.tsx'
import { ActionNotice } from '../kit/ActionNotice.tsx'
import { DoneButtons } from '../kit/DoneButtons.tsx'
import { formatMoney, formatPoints } from '../kit/format.ts'
import { useSession } from '../kit/session.ts'
import { useAction, useAnswered } from '../kit/useAction.ts'
import { ReceiptRow } from '../ui/ReceiptRow.tsx'
import { Rolling } from '../ui/Rolling.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { pointsMoved } from './points.ts'
import { createRedemption, nameOf, type Redeemed, type RedeemInput } from './spend.ts'
import { SpendPreview, useSpendPreview } from './SpendPreview.tsx'

export type PointsOwner = { memberCode: string; name: string }
export type Spent = { entryId: string; points: number }

type SpendSheetProps = {
  open: boolean
  member: PointsOwner
  /** What is asked for; the balance that it counts on is the preview's. */
  order: RedeemInput
  /** The reward's name; null for points against a sale. */
  gift: string | null
  /** A choice that changes the order: how many. Shown until it is confirmed. */
  choice?: ReactNode
  onClose: () => void
  onUndo: (spent: Spent) => void
}

/** Nothing to send before its effect is on screen. */
const closeOnly = { step: 'refused', message: '', again: false } as const

/** Shows what would happen, asks once, and tells what the server said. */
export function SpendSheet(props: SpendSheetProps) {
  const { open, member, order, gift, choice, onClose, onUndo } = props
  const { t } = useLingui()
  const queries = useQueryClient()
  const clerk = useSession()
  const preview = useSpendPreview(order)
  const { before } = preview
  const input = { ...order, expectedBalance: before ?? 0 }
  const { state, action } = useAction(
    clerk === null || before === undefined
      ? null
      : () => createRedemption(clerk, input, preview.balanceChanged),
    nameOf(input),
  )
  useAnswered(state, () => pointsMoved(queries, member.memberCode))
  const n = formatPoints(preview.query.data?.points ?? 0)
  const { name } = member
  const done = state.step === 'done'
  const close = () => {
    // What the server has never seen is over when the clerk turns away from it.
    if (state.step === 'checked') action?.drop()
    else action?.close()
    onClose()
  }
  const entry = state.step === 'done' ? state.data.entry : null
  const undoMinutes = useConfig()?.undoMinutes ?? 0
  const undoable = entry !== null && undoMinutes > 0
  const undo = () => {
    if (entry !== null) onUndo({ entryId: entry.id, points: -entry.points })
  }
  const title = gift === null ? t({ id: 'ex.q', message: `Use ${n} of ${name}'s points?` }) : gift
  return (
    <Sheet
      open={open}
      onClose={close}
      busy={isBusy(state)}
      title={done ? t({ id: 'ex.ok', message: 'Points redeemed' }) : title}
      note={done || gift === null ? null : t({ id: 'ex.qGift', message: `Redeem for ${name}?` })}
      actions={
        done ? (
          <DoneButtons onClose={close} onUndo={undoable ? undo : undefined} />
        ) : (
          <ActionButtons
            state={before === undefined ? closeOnly : state}
            action={action}
            onClose={close}
            label={
              gift === null
                ? t({ id: 'ex.doSale', message: `Use ${n} points` })
                : t({ id: 'ex.do', message: `Redeem ${n} points` })
            }
            busyLabel={t({ id: 'ex.busy', message: 'Redeeming…' })}
          />
        )
      }
    >
      {done ? <Receipted done={state.data} before={before ?? 0} gift={gift} /> : null}
      {state.step === 'idle' || state.step === 'confirm' ? choice : null}
      {done ? null : <SpendPreview preview={preview} asking={state.step === 'confirm'} />}
      <SpendNotice state={state} />
    </Sheet>
  )
}

/** The words of an answer that is missing, for points. */
export function SpendNotice({ state }: { state: Parameters<typeof ActionNotice>[0]['state'] }) {
  const { t } = useLingui()
  return (
    <ActionNotice
      state={state}
      unknown={t({
        id: 'ex.unknown',
        message: "We couldn't confirm the result. Do not redeem again before checking.",
      })}
      intact={t({ id: 'ex.intact', message: 'No points have been used.' })}
    />
  )
}

type ReceiptedProps = { done: Redeemed; before: number; gift: string | null }

function Receipted({ done, before, gift }: ReceiptedProps) {
  const { t } = useLingui()
  const dates = useDates()
  const clerk = useSession()
  const { entry, amount } = done
  return (
    <div>
      <p className="text-small text-ink2">{t({ id: 'home.points', message: 'Points' })}</p>
      <Rolling from={before} to={done.balance} write={formatPoints} />
      <div className="mt-2 border-t border-line pt-1">
        <ReceiptRow
          label={gift ?? t({ id: 'ex.sale', message: 'Against this sale' })}
          value={formatPoints(entry.points, true)}
        />
        {amount === null ? null : (
          <ReceiptRow
            label={t({ id: 'ex.off', message: 'Off this sale' })}
            value={formatMoney(amount)}
          />
        )}
        <ReceiptRow
          label={entry.store?.name ?? clerk?.store.name ?? ''}
          value={dates(entry.createDate, 'long')}
        />
      </div>
    </div>
  )
}
