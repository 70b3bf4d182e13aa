import { useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Data, Input } from '@tillside/contract/wire/endpoint'
import { hasNoEnd } from '@tillside/contract/rules/day'
import { previewPoints } from '@tillside/contract/points'
import { type ReactNode, useState } from 'react'
import { useDates } from '../company/calendar.ts'
import { useConfig } from '../company/config.ts'
import { isBusy } from '../kit/action/action.ts'
import { ActionButtons } from '../kit/action/ActionButtons.tsx'
import { AllowanceHint } from '../kit/action/AllowanceHint.tsx'
import { call } from '../kit/call/call.ts'
import { DoneButtons } from '../kit/action/DoneButtons.tsx'
import { Refusal } from '../kit/call/failure.ts'
import { formatPoints } from '../kit/text/format.ts'
import { useMoney } from '../company/money.ts'
import { Loaded } from '../kit/page/Loaded.tsx'
import { useSession } from '../kit/call/session.ts'
import { useAction, useOnAnswered } from '../kit/action/useAction.ts'
import { TurnButton } from '../kit/action/TurnButton.tsx'
import { deedStep, noDeed, useShownDeed } from '../kit/store/scene.ts'
import { Notice } from '../ui/page/Notice.tsx'
import { ReceiptRow } from '../ui/paper/ReceiptRow.tsx'
import { AnimatedNumber } from '../ui/paper/AnimatedNumber.tsx'
import { Sheet } from '../ui/layer/Sheet.tsx'
import { Skeleton } from '../ui/page/Skeleton.tsx'
import { invalidatePoints } from './points.ts'
import { createRedemption, requestName, type Redeemed, type RedeemInput } from './spend.ts'
import { SpendSlip } from '../slip/SpendSlip.tsx'
import { SpendNotice } from './UnansweredSpends.tsx'

export type PointsOwner = { memberCode: string; name: string }
/** `gift`: the name of the reward; null for points against a sale. */
export type Spent = { entryId: string; points: number; gift: string | null }

type SpendSheetProps = {
  open: boolean
  member: PointsOwner
  /** The request; the expected balance is added from the preview. */
  order: RedeemInput
  /** The name of the reward; null for points against a sale. */
  gift: string | null
  /** An input that changes the order, such as the quantity. Shown until the order is confirmed. */
  choice?: ReactNode
  onClose: () => void
  onUndo: (spent: Spent) => void
}

/** Only the close button, until the preview is on screen. */
const closeOnly = { step: 'refused', message: '', again: false } as const

/** Shows a preview, asks for confirmation, and shows the result. */
export function SpendSheet(props: SpendSheetProps) {
  const { open, member, order, gift, choice, onClose, onUndo } = props
  const { t } = useLingui()
  const queries = useQueryClient()
  const clerk = useSession()
  const preview = useSpendPreview(order)
  const { before } = preview
  const input = { ...order, expectedBalance: before ?? undefined }
  const { state, action } = useAction(
    clerk === null || before === undefined
      ? null
      : () => createRedemption(clerk, input, preview.balanceChanged),
    requestName(input),
  )
  useOnAnswered(state, () => invalidatePoints(queries, member.memberCode))
  const foreseen = preview.query.data
  useShownDeed(
    open
      ? {
          ...noDeed,
          kind: 'spend',
          step: deedStep(state.step),
          reward: gift,
          before: foreseen?.balanceBefore ?? null,
          after: foreseen?.balanceAfter ?? null,
          amount: foreseen?.amount ?? null,
        }
      : null,
  )
  // The cost of a reward is unknown until the preview is loaded, so no text may name it.
  const asked = order.kind === 'transaction' ? order.points : 0
  const n = formatPoints(preview.query.data?.points ?? asked)
  const { name } = member
  const done = state.step === 'done'
  const close = () => {
    // The server does not know this request, so it can be forgotten when the sheet is closed.
    if (state.step === 'checked') action?.drop()
    else action?.close()
    onClose()
  }
  const entry = state.step === 'done' ? state.data.entry : null
  const undoMinutes = useConfig()?.undoMinutes ?? 0
  const undoable = entry !== null && undoMinutes > 0
  const undo = () => {
    if (entry !== null) onUndo({ entryId: entry.id, points: -entry.points, gift })
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
      {done ? (
        <>
          <SpendReceipt done={state.data} before={before ?? null} gift={gift} />
          <SpendSlip done={state.data} gift={gift} operation={action?.operation() ?? null} />
        </>
      ) : null}
      {state.step === 'idle' || state.step === 'confirm' ? choice : null}
      {done ? null : <SpendPreview preview={preview} asking={state.step === 'confirm'} />}
      <AllowanceHint allowance={done ? state.data.allowance : undefined} />
      <TurnButton step={state.step} />
      <SpendNotice state={state} />
    </Sheet>
  )
}

type SpendReceiptProps = { done: Redeemed; before: number | null; gift: string | null }

function SpendReceipt({ done, before, gift }: SpendReceiptProps) {
  const { t } = useLingui()
  const money = useMoney()
  const dates = useDates()
  const clerk = useSession()
  const { entry, amount, balance } = done
  return (
    <div>
      <p className="text-small text-ink2">{t({ id: 'home.points', message: 'Points' })}</p>
      {balance === null ? null : (
        <AnimatedNumber from={before ?? 0} to={balance} write={formatPoints} />
      )}
      <div className="mt-2 border-t border-line pt-1">
        <ReceiptRow
          label={gift ?? t({ id: 'ex.sale', message: 'Against this sale' })}
          value={formatPoints(entry.points, true)}
        />
        {amount === null ? null : (
          <ReceiptRow label={t({ id: 'ex.off', message: 'Off this sale' })} value={money(amount)} />
        )}
        {entry.invoiceNumber === null ? null : (
          <ReceiptRow
            label={t({ id: 'pt.invoice', message: 'Invoice no.' })}
            value={entry.invoiceNumber}
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

export type SpendPreviewed = ReturnType<typeof useSpendPreview>

/**
 * Asks the server for the effect of a spending before the clerk confirms it.
 * @param spends false if the request costs no points
 */
export function useSpendPreview(order: Input<typeof previewPoints>, spends = true) {
  const [changed, setChanged] = useState(false)
  const query = useQuery({
    queryKey: ['points-preview', order],
    queryFn: ({ signal }) => call(previewPoints, order, { signal, quiet: true }),
    enabled: spends,
    // A preview is valid only now, so it is not cached.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    // A different quantity is a different request; the last preview stays until the new one is
    // loaded.
    placeholderData: (before) => before,
  })
  const { data, isPlaceholderData } = query
  return {
    query,
    changed,
    /**
     * The balance that the clerk sees; the request is refused if it has changed. Null if the clerk
     * may not see it, undefined until it is loaded.
     */
    before: isPlaceholderData ? undefined : data?.balanceBefore,
    balanceChanged: () => {
      setChanged(true)
      void query.refetch()
    },
  }
}

type SpendPreviewProps = {
  preview: SpendPreviewed
  /** The order can still be confirmed, so a changed balance is reported. */
  asking: boolean
}

/** The points before and after, or why they cannot be spent. */
export function SpendPreview({ preview: { query, changed }, asking }: SpendPreviewProps) {
  const { t } = useLingui()
  return (
    <>
      {query.error instanceof Refusal ? (
        <Notice tone="danger">{query.error.message}</Notice>
      ) : (
        <Loaded
          query={query}
          name={t({ id: 'home.points', message: 'Points' })}
          skeleton={<Skeleton height="3rem" radius="card" />}
        >
          {(shown) => <Shown shown={shown} />}
        </Loaded>
      )}
      {changed && asking ? (
        <Notice tone="warning">
          {t({ id: 'ex.changed', message: 'The balance has changed, please check again' })}
        </Notice>
      ) : null}
    </>
  )
}

function Shown({ shown }: { shown: Data<typeof previewPoints> }) {
  const { t } = useLingui()
  const money = useMoney()
  const dates = useDates()
  const { nextExpiry, balanceBefore, balanceAfter } = shown
  const n = formatPoints(nextExpiry?.points ?? 0)
  const date = nextExpiry ? dates(nextExpiry.expiryDate) : ''
  return (
    <div>
      {balanceBefore === null || balanceAfter === null ? (
        <Cost points={shown.points} />
      ) : (
        <BeforeAfter before={balanceBefore} after={balanceAfter} />
      )}
      {shown.amount === null ? null : (
        <ReceiptRow
          label={t({ id: 'ex.off', message: 'Off this sale' })}
          value={money(shown.amount)}
        />
      )}
      {nextExpiry && !hasNoEnd(nextExpiry.expiryDate) ? (
        <p className="num mt-1 text-small text-ink2">
          {t({ id: 'ex.nextExpiry', message: `Next to expire: ${n} points on ${date}.` })}
        </p>
      ) : null}
    </div>
  )
}

/** The cost alone, for a clerk who may not see the balance. */
function Cost({ points }: { points: number }) {
  const { t } = useLingui()
  const n = formatPoints(points)
  return <p className="num text-title">{t({ id: 'iss.cost', message: `${n} points` })}</p>
}

/** "5,000 → 3,800 points". */
export function BeforeAfter({ before, after }: { before: number; after: number }) {
  const { t } = useLingui()
  const a = formatPoints(before)
  const b = formatPoints(after)
  return <p className="num text-title">{t({ id: 'ex.after', message: `${a} → ${b} points` })}</p>
}
