import { useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { PointEntry } from '@tillside/contract/points'
import { hasNoEnd } from '@tillside/contract/rules/day'
import { memo, useState } from 'react'
import { useDates, useDays } from '../company/calendar.ts'
import { formatPoints, isZeroDate } from '../kit/text/format.ts'
import { useMoney } from '../company/money.ts'
import { Months } from '../kit/page/Months.tsx'
import { paths } from '../paths.ts'
import { ReceiptRow } from '../ui/paper/ReceiptRow.tsx'
import { useTypeName } from './points.ts'

type PointRowsProps = {
  memberCode: string
  entries: readonly PointEntry[]
  /** The entry that is selected in the chart. */
  chosen: string | null
}

/** The ledger in sections by month; pressing a row shows its details. */
export const PointRows = memo(({ memberCode, entries, chosen }: PointRowsProps) => {
  const day = useDays()
  return (
    <Months rows={entries} dayOf={({ createDate }) => day(createDate)} keyOf={({ id }) => id}>
      {(entry) => <Row entry={entry} chosen={entry.id === chosen} memberCode={memberCode} />}
    </Months>
  )
})
PointRows.displayName = 'PointRows'

type RowProps = { entry: PointEntry; chosen: boolean; memberCode: string }

function Row({ entry, chosen, memberCode }: RowProps) {
  const [open, setOpen] = useState(false)
  const date = useDates()(entry.createDate)
  const type = useTypeName()(entry.type)
  const gain = entry.points > 0
  const about = [
    entry.subject === null ? null : type,
    entry.invoiceNumber,
    entry.description,
  ].filter((text) => text !== null && text !== '')
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
          <span className="block break-words">{entry.subject ?? type}</span>
          <span className="num block text-small break-words text-ink2">
            <span className="expanded:hidden">{[date, ...about].join(' · ')}</span>
            <span className="max-expanded:hidden">{about.join(' · ') || '—'}</span>
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
      {open ? <Detail entry={entry} memberCode={memberCode} /> : null}
    </>
  )
}

function Detail({ entry, memberCode }: { entry: PointEntry; memberCode: string }) {
  const { t } = useLingui()
  const money = useMoney()
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
      {entry.expiryDate === null || hasNoEnd(entry.expiryDate) ? null : (
        <ReceiptRow
          label={t({ id: 'pt.expiry', message: 'Expires' })}
          value={day(entry.expiryDate)}
        />
      )}
      {entry.amount === null ? null : (
        <ReceiptRow label={t({ id: 'pt.amount', message: 'Amount' })} value={money(entry.amount)} />
      )}
      {entry.invoiceNumber === null ? null : (
        <ReceiptRow
          label={t({ id: 'pt.invoice', message: 'Invoice no.' })}
          value={<Invoice number={entry.invoiceNumber} memberCode={memberCode} />}
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

/** A link to the receipt. */
function Invoice({ number, memberCode }: { number: string; memberCode: string }) {
  return (
    <Link {...paths.memberReceipt(memberCode, number)} className="underline underline-offset-4">
      {number}
    </Link>
  )
}
