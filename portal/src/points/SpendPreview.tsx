import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { Data, Input } from '@tillside/contract/endpoint'
import { previewPoints } from '@tillside/contract/points'
import { useState } from 'react'
import { useDates } from '../company/calendar.ts'
import { call } from '../kit/call.ts'
import { Refusal } from '../kit/failure.ts'
import { formatMoney, formatPoints } from '../kit/format.ts'
import { Loaded } from '../kit/Loaded.tsx'
import { Notice } from '../ui/Notice.tsx'
import { ReceiptRow } from '../ui/ReceiptRow.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'

export type SpendPreviewed = ReturnType<typeof useSpendPreview>

/**
 * What a spending would do, asked of the server before the clerk confirms it.
 * @param spends false where the same thing costs nothing
 */
export function useSpendPreview(order: Input<typeof previewPoints>, spends = true) {
  const [changed, setChanged] = useState(false)
  const query = useQuery({
    queryKey: ['points-preview', order],
    queryFn: ({ signal }) => call(previewPoints, order, { signal, quiet: true }),
    enabled: spends,
    // What it says holds for this moment only.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    // Another quantity is another question; the last answer stands until the next has come.
    placeholderData: (before) => before,
  })
  const { data, isPlaceholderData } = query
  return {
    query,
    changed,
    /** The balance that the clerk sees, on which the request counts. */
    before: isPlaceholderData ? undefined : data?.balanceBefore,
    balanceChanged: () => {
      setChanged(true)
      void query.refetch()
    },
  }
}

type SpendPreviewProps = {
  preview: SpendPreviewed
  /** It can still be confirmed, so what has changed matters. */
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
  const dates = useDates()
  const { nextExpiry, balanceBefore, balanceAfter } = shown
  const n = formatPoints(nextExpiry?.points ?? 0)
  const date = nextExpiry ? dates(nextExpiry.expiryDate) : ''
  return (
    <div>
      <BeforeAfter before={balanceBefore} after={balanceAfter} />
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

/** "5,000 → 3,800 points". */
export function BeforeAfter({ before, after }: { before: number; after: number }) {
  const { t } = useLingui()
  const a = formatPoints(before)
  const b = formatPoints(after)
  return <p className="num text-title">{t({ id: 'ex.after', message: `${a} → ${b} points` })}</p>
}
