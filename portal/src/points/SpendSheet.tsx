import { useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Data } from '@tillside/contract/endpoint'
import { previewPoints } from '@tillside/contract/points'
import { type ReactNode, useState } from 'react'
import { useDates } from '../company/calendar.ts'
import { useConfig } from '../company/config.ts'
import { isBusy } from '../kit/action.ts'
import { ActionButtons } from '../kit/ActionButtons.tsx'
import { ActionNotice } from '../kit/ActionNotice.tsx'
import { call } from '../kit/call.ts'
import { DoneButtons } from '../kit/DoneButtons.tsx'
import { Refusal } from '../kit/failure.ts'
import { formatMoney, formatPoints } from '../kit/format.ts'
import { Loaded } from '../kit/Loaded.tsx'
import { useSession } from '../kit/session.ts'
import { useAction, useAnswered } from '../kit/useAction.ts'
import { Notice } from '../ui/Notice.tsx'
import { ReceiptRow } from '../ui/ReceiptRow.tsx'
import { Rolling } from '../ui/Rolling.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { pointsMoved } from './points.ts'
import { type Answer, createSpend, nameOf, spentIn, type SpendInput } from './spend.ts'

export type PointsOwner = { memberCode: string; name: string }
export type Spent = { entryId: string; points: number }

type SpendSheetProps = {
  open: boolean
  member: PointsOwner
  /** What is asked for; the balance that it counts on is the preview's. */
  order: SpendInput
  /** The reward's or the coupon's name; null for points against a sale. */
  gift: string | null
  /** A choice that changes the order: how many. Shown until it is confirmed. */
  choice?: ReactNode
  onClose: () => void
  onUndo: (spent: Spent) => void
}

/** Shows what would happen, asks once, and tells what the server said. */
export function SpendSheet(props: SpendSheetProps) {
  const { open, member, order, gift, choice, onClose, onUndo } = props
  const { t } = useLingui()
  const queries = useQueryClient()
  const clerk = useSession()
  const [changed, setChanged] = useState(false)
  const preview = usePreview(order)
  const before = preview.data?.balanceBefore
  const input = { ...order, expectedBalance: before ?? 0 }
  const { state, action } = useAction(
    clerk === null || before === undefined
      ? null
      : () =>
          createSpend(clerk, input, () => {
            setChanged(true)
            void preview.refetch()
          }),
    nameOf(input),
  )
  useAnswered(state, () => pointsMoved(queries, member.memberCode))
  const n = formatPoints(preview.data?.points ?? 0)
  const { name } = member
  const done = state.step === 'done'
  const close = () => {
    // What the server has never seen is over when the clerk turns away from it.
    if (state.step === 'checked') action?.drop()
    else action?.close()
    onClose()
  }
  // What a coupon cost is taken back with the coupon, from the clerk's shift.
  const entry = state.step === 'done' && 'entry' in state.data ? state.data.entry : null
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
            state={preview.data ? state : { step: 'refused', message: '', again: false }}
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
      {done ? null : preview.error instanceof Refusal ? (
        <Notice tone="danger">{preview.error.message}</Notice>
      ) : (
        <Loaded
          query={preview}
          name={t({ id: 'home.points', message: 'Points' })}
          skeleton={<Skeleton height="5rem" radius="card" />}
        >
          {(shown) => <Preview shown={shown} />}
        </Loaded>
      )}
      {changed && state.step === 'confirm' ? (
        <Notice tone="warning">
          {t({ id: 'ex.changed', message: 'The balance has changed, please check again' })}
        </Notice>
      ) : null}
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

function usePreview(order: SpendInput) {
  return useQuery({
    queryKey: ['points-preview', order],
    queryFn: ({ signal }) => call(previewPoints, order, { signal, quiet: true }),
    // What it says holds for this moment only.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
}

function Preview({ shown }: { shown: Data<typeof previewPoints> }) {
  const { t } = useLingui()
  const dates = useDates()
  const { nextExpiry } = shown
  const a = formatPoints(shown.balanceBefore)
  const b = formatPoints(shown.balanceAfter)
  const n = formatPoints(nextExpiry?.points ?? 0)
  const date = nextExpiry ? dates(nextExpiry.expiryDate) : ''
  return (
    <div>
      <p className="num text-title">{t({ id: 'ex.after', message: `${a} → ${b} points` })}</p>
      {shown.amount === null ? null : (
        <ReceiptRow
          label={t({ id: 'ex.off', message: 'Off this sale' })}
          value={formatMoney(shown.amount)}
        />
      )}
      {nextExpiry ? (
        <p className="num mt-1 text-small text-ink2">
          {t({ id: 'ex.nextExpiry', message: `Then ${n} points expire on ${date}.` })}
        </p>
      ) : null}
    </div>
  )
}

type ReceiptedProps = { done: Answer; before: number; gift: string | null }

function Receipted({ done, before, gift }: ReceiptedProps) {
  const { t } = useLingui()
  const dates = useDates()
  const clerk = useSession()
  const entry = 'entry' in done ? done.entry : null
  const amount = 'entry' in done ? done.amount : null
  return (
    <div>
      <p className="text-small text-ink2">{t({ id: 'home.points', message: 'Points' })}</p>
      <Rolling from={before} to={done.balance} write={formatPoints} />
      <div className="mt-2 border-t border-line pt-1">
        <ReceiptRow
          label={gift ?? t({ id: 'ex.sale', message: 'Against this sale' })}
          value={formatPoints(-spentIn(done), true)}
        />
        {amount === null ? null : (
          <ReceiptRow
            label={t({ id: 'ex.off', message: 'Off this sale' })}
            value={formatMoney(amount)}
          />
        )}
        {entry === null ? null : (
          <ReceiptRow
            label={entry.store?.name ?? clerk?.store.name ?? ''}
            value={dates(entry.createDate, 'long')}
          />
        )}
      </div>
    </div>
  )
}
