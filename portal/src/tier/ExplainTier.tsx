import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { Data } from '@tillside/contract/wire/endpoint'
import { explainTier } from '@tillside/contract/tier'
import { useDates } from '../company/calendar.ts'
import { call } from '../kit/call/call.ts'
import { useMoney } from '../company/money.ts'
import { withIndex } from '../kit/page/withIndex.ts'
import { ExplainSheet } from '../kit/page/ExplainSheet.tsx'
import { EmptyLine } from '../ui/page/EmptyLine.tsx'
import { ReceiptRow } from '../ui/paper/ReceiptRow.tsx'

type Explanation = Data<typeof explainTier>

type ExplainTierProps = { open: boolean; memberCode: string; onClose: () => void }

/** Explains the gap to a tier: the rule, the sum so far, and the sales that count. */
export function ExplainTier({ open, memberCode, onClose }: ExplainTierProps) {
  const { t } = useLingui()
  const query = useQuery({
    queryKey: ['member', memberCode, 'tier', 'explain'],
    queryFn: ({ signal }) => call(explainTier, { memberCode }, { signal, quiet: true }),
  })
  return (
    <ExplainSheet
      open={open}
      onClose={onClose}
      title={t({ id: 'why.tier', message: 'What counts towards the tier' })}
      name={t({ id: 'tier.title', message: 'Tier' })}
      query={query}
    >
      {(shown) => (
        <>
          <Reevaluated changes={shown.reevaluated} />
          <Sum shown={shown} />
          <Sales shown={shown} />
        </>
      )}
    </ExplainSheet>
  )
}

/** The returns that changed the tier, in sentences. */
function Reevaluated({ changes }: { changes: Explanation['reevaluated'] }) {
  const { t } = useLingui()
  const dates = useDates()
  if (changes.length === 0) return null
  return (
    <ul className="flex flex-col gap-1 rounded-button bg-sunken px-4 py-3 text-small">
      {withIndex(changes).map(([key, { at, invoiceNumber, from, to }]) => {
        const date = dates(at)
        const receipt = invoiceNumber ?? ''
        return (
          <li key={key} className="num break-words">
            {invoiceNumber === null
              ? t({
                  id: 'why.returned',
                  message: `A return changed the tier on ${date}: ${from} → ${to}.`,
                })
              : t({
                  id: 'why.returnedBy',
                  message: `The return ${receipt} changed the tier on ${date}: ${from} → ${to}.`,
                })}
          </li>
        )
      })}
    </ul>
  )
}

function Sum({ shown: { standing, window } }: { shown: Explanation }) {
  const { t } = useLingui()
  const money = useMoney()
  const dates = useDates()
  const from = dates(window.from)
  const to = dates(window.to)
  const next = standing.nextTier
  const tier = next?.name ?? ''
  const own = standing.name
  const renews = standing.gapToRenew
  return (
    <div>
      <p className="num mb-2 text-small text-ink2">
        {window.kind === 'calendarYear'
          ? t({ id: 'why.year', message: `Sales of this calendar year count: ${from} to ${to}.` })
          : t({ id: 'why.rolling', message: `Sales of twelve months count: ${from} to ${to}.` })}
      </p>
      <ReceiptRow
        label={t({ id: 'why.counted', message: 'Counts so far' })}
        value={money(standing.gradeSpend)}
      />
      {next === null ? null : (
        <ReceiptRow
          label={t({ id: 'why.begins', message: `${tier} begins at` })}
          value={money(next.threshold)}
        />
      )}
      {standing.gapToNextTier === null ? null : (
        <ReceiptRow
          strong
          label={t({ id: 'why.missing', message: `To reach ${tier}` })}
          value={money(standing.gapToNextTier)}
        />
      )}
      {renews === null ? null : (
        <ReceiptRow
          label={t({ id: 'why.stay', message: `To stay ${own}` })}
          value={money(renews)}
        />
      )}
    </div>
  )
}

function Sales({ shown: { spend, more, moreAmount } }: { shown: Explanation }) {
  const { t } = useLingui()
  const money = useMoney()
  const dates = useDates()
  // The clerk may not see sales.
  if (spend === null || more === null || moreAmount === null) return null
  if (spend.length === 0) {
    return <EmptyLine>{t({ id: 'why.noSales', message: 'No sales count yet' })}</EmptyLine>
  }
  return (
    <ul className="flex flex-col">
      {withIndex(spend).map(([key, sale]) => (
        <li key={key} className="border-t border-line py-1">
          <ReceiptRow
            label={
              <span className="num">
                {dates(sale.date)}
                {sale.invoiceNumber === null ? '' : ` · ${sale.invoiceNumber}`}
              </span>
            }
            value={money(sale.amount)}
          />
        </li>
      ))}
      {more === 0 ? null : (
        <li className="border-t border-line py-1">
          <ReceiptRow
            label={t({
              id: 'why.more',
              message: plural(more, { one: '# older sale', other: '# older sales' }),
            })}
            value={money(moreAmount)}
          />
        </li>
      )}
    </ul>
  )
}
