import { useLingui } from '@lingui/react/macro'
import type { PointEntry } from '@tillside/contract/points'
import { memo, useState } from 'react'
import { useDates, useDays } from '../company/calendar.ts'
import { formatMoney, formatPoints, isZeroDate } from '../kit/format.ts'
import { useLanguage } from '../kit/language.ts'
import { ReceiptRow } from '../ui/ReceiptRow.tsx'
import { useTypeName } from './points.ts'

type PointRowsProps = {
  entries: readonly PointEntry[]
  /** The entry under the ribbon's cursor. */
  chosen: string | null
}

/** The ledger, a month under each heading; a row opens to all that is known of it. */
export const PointRows = memo(({ entries, chosen }: PointRowsProps) => {
  const day = useDays()
  const monthName = useMonthName()
  const months = Map.groupBy(entries, ({ createDate }) => day(createDate).slice(0, 7))
  return [...months].map(([month, inside]) => (
    <section key={month} aria-label={monthName(month)}>
      <h3
        className={
          'sticky top-28 z-10 bg-canvas py-2 text-small font-semibold text-ink2 ' +
          'medium:top-40 expanded:top-26 low:static'
        }
      >
        {monthName(month)}
      </h3>
      <ul className="flex flex-col">
        {inside.map((entry) => (
          <li key={entry.id} className="border-t border-line last:border-b">
            <Row entry={entry} chosen={entry.id === chosen} />
          </li>
        ))}
      </ul>
    </section>
  ))
})
PointRows.displayName = 'PointRows'

function useMonthName(): (month: string) => string {
  const language = useLanguage()
  const names = new Intl.DateTimeFormat(language, {
    year: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  })
  return (month) => names.format(new Date(`${month}-01T00:00:00Z`))
}

function Row({ entry, chosen }: { entry: PointEntry; chosen: boolean }) {
  const [open, setOpen] = useState(false)
  const date = useDates()(entry.createDate)
  const type = useTypeName()(entry.type)
  const gain = entry.points > 0
  return (
    <>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className={
          'grid min-h-14 w-full grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 py-2 px-2 ' +
          'text-start transition-colors duration-[120ms] ' +
          'expanded:grid-cols-[minmax(0,1fr)_7rem_8rem_8rem] ' +
          (chosen ? 'bg-brand-tint' : 'hover:bg-surface')
        }
      >
        <span className="min-w-0">
          <span className="block">{type}</span>
          <span className="num block text-small break-words text-ink2">
            <span className="expanded:hidden">
              {date}
              {entry.invoiceNumber === null ? '' : ' · '}
            </span>
            {entry.invoiceNumber ?? <span className="max-expanded:hidden">—</span>}
          </span>
        </span>
        <span className="num hidden text-small text-ink2 expanded:block">{date}</span>
        <span className="num text-end expanded:contents">
          <span
            className={
              'block text-strong expanded:text-end ' + (gain ? 'text-brand-text' : 'text-ink')
            }
          >
            {formatPoints(entry.points, true)}
          </span>
          <span className="block text-small text-ink2 expanded:text-end expanded:text-body">
            {formatPoints(entry.balance)}
          </span>
        </span>
      </button>
      {open ? <Detail entry={entry} /> : null}
    </>
  )
}

function Detail({ entry }: { entry: PointEntry }) {
  const { t } = useLingui()
  const dates = useDates()
  const day = (value: string) => (
    <span className={isZeroDate(value) ? 'text-ink3' : ''}>{dates(value)}</span>
  )
  return (
    <div className="mx-auto max-w-[32rem] px-2 pb-3">
      <ReceiptRow
        label={t({ id: 'pt.created', message: 'Recorded' })}
        value={dates(entry.createDate, 'long')}
      />
      {entry.earnDate === null ? null : (
        <ReceiptRow
          label={t({ id: 'pt.earnDate', message: 'Earned on' })}
          value={day(entry.earnDate)}
        />
      )}
      {entry.expiryDate === null ? null : (
        <ReceiptRow
          label={t({ id: 'pt.expiry', message: 'Expires' })}
          value={day(entry.expiryDate)}
        />
      )}
      {entry.amount === null ? null : (
        <ReceiptRow
          label={t({ id: 'pt.amount', message: 'Amount' })}
          value={formatMoney(entry.amount)}
        />
      )}
      {entry.invoiceNumber === null ? null : (
        <ReceiptRow
          label={t({ id: 'pt.invoice', message: 'Invoice no.' })}
          value={entry.invoiceNumber}
        />
      )}
      {entry.store === null ? null : (
        <ReceiptRow label={t({ id: 'sys.store', message: 'Store' })} value={entry.store.name} />
      )}
      {entry.description === null ? null : (
        <ReceiptRow label={t({ id: 'pt.note', message: 'Note' })} value={entry.description} />
      )}
    </div>
  )
}
