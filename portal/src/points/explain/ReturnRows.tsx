import { useLingui } from '@lingui/react/macro'
import type { explainPoints } from '@tillside/contract/points'
import type { Data } from '@tillside/contract/wire/endpoint'
import { useDates } from '../../company/calendar.ts'
import { withIndex } from '../../kit/page/withIndex.ts'
import { formatPoints } from '../../kit/text/format.ts'
import { ReceiptRow } from '../../ui/paper/ReceiptRow.tsx'

type Effect = Data<typeof explainPoints>['returns'][number]

/** The returns behind a debt, and those whose points came back, lapsed or were forgiven. */
export function ReturnRows({ returns }: { returns: readonly Effect[] }) {
  const { t } = useLingui()
  if (returns.length === 0) return null
  return (
    <section>
      <h3 className="pb-1 text-strong">{t({ id: 'ret.title', message: 'Returns' })}</h3>
      <ul className="flex flex-col">
        {withIndex(returns).map(([key, effect]) => (
          <ReturnRow key={key} effect={effect} />
        ))}
      </ul>
    </section>
  )
}

function ReturnRow({ effect }: { effect: Effect }) {
  const { t } = useLingui()
  const dates = useDates()
  const { taken, back, lapsed, forgiven, owed } = effect
  const parts = [
    {
      label: t({ id: 'ret.taken', message: 'Taken back with the goods' }),
      points: taken,
      value: formatPoints(-taken),
    },
    {
      label: t({ id: 'ret.back', message: 'Paid for the goods and came back' }),
      points: back,
      value: formatPoints(back, true),
    },
    {
      label: t({ id: 'ret.lapsed', message: 'Had expired and lapsed at once' }),
      points: lapsed,
      value: formatPoints(-lapsed),
    },
    {
      label: t({ id: 'ret.forgiven', message: 'Missing and forgiven' }),
      points: forgiven,
      value: formatPoints(forgiven),
    },
  ]
  return (
    <li className="border-t border-line py-1.5">
      <p className="num text-small break-words text-ink2">
        {[dates(effect.date), effect.invoiceNumber].filter((part) => part !== null).join(' · ')}
      </p>
      {parts.map(({ label, points, value }) =>
        points === 0 ? null : <ReceiptRow key={label} label={label} value={value} />,
      )}
      {owed === 0 ? null : (
        <ReceiptRow
          strong
          label={t({ id: 'ret.owed', message: 'Left to repay' })}
          value={formatPoints(owed)}
        />
      )}
    </li>
  )
}
