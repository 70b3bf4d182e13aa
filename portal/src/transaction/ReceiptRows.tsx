import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import CaretDownIcon from 'virtual:icons/caret-down'
import CaretRightIcon from 'virtual:icons/caret-right'
import type { TransactionRow } from '@tillside/contract/transaction'
import type { KeyboardEvent } from 'react'
import { useDates, useDays } from '../company/calendar.ts'
import { useMoney } from '../company/money.ts'
import { Months } from '../kit/page/Months.tsx'
import { ExceptionTag } from './ExceptionTag.tsx'
import { ReceiptPane } from './ReceiptPane.tsx'
import { useReceiptWords } from './transactions.ts'

type ReceiptRowsProps = {
  memberCode: string
  rows: readonly TransactionRow[]
  /** The open receipt. */
  open: string | null
  /** Whether the receipt opens below its row or in a separate column or screen. */
  inline: boolean
  onOpen: (invoiceNumber: string | null) => void
}

/** The receipts in sections by month. */
export function ReceiptRows({ memberCode, rows, open, inline, onOpen }: ReceiptRowsProps) {
  const day = useDays()
  return (
    <div data-rows="">
      <Months
        rows={rows}
        dayOf={({ date }) => day(date)}
        keyOf={({ invoiceNumber, source, date }) => `${invoiceNumber} ${source} ${date}`}
      >
        {(row) => {
          const isOpen = row.invoiceNumber === open
          return (
            <>
              <Row
                row={row}
                isOpen={isOpen}
                inline={inline}
                onPress={() => onOpen(isOpen && inline ? null : row.invoiceNumber)}
              />
              {isOpen && inline ? (
                <div className="px-2 pt-1 pb-4">
                  <ReceiptPane memberCode={memberCode} invoiceNumber={row.invoiceNumber} />
                </div>
              ) : null}
            </>
          )
        }}
      </Months>
    </div>
  )
}

type RowProps = { row: TransactionRow; isOpen: boolean; inline: boolean; onPress: () => void }

function Row({ row, isOpen, inline, onPress }: RowProps) {
  const { t } = useLingui()
  const money = useMoney()
  const date = useDates()(row.date)
  const source = useReceiptWords().source(row.source)
  const n = row.itemCount
  const Caret = inline ? CaretDownIcon : CaretRightIcon
  return (
    <button
      type="button"
      data-row=""
      onClick={onPress}
      onKeyDown={moveWithArrows}
      {...(inline ? { 'aria-expanded': isOpen } : { 'aria-current': isOpen ? 'true' : undefined })}
      className={
        'grid min-h-16 w-full grid-cols-[minmax(0,1fr)_auto_auto] items-center gap-x-3 px-2 py-2 ' +
        'text-start transition-colors duration-[120ms] ' +
        (isOpen && !inline ? 'bg-brand-tint' : 'hover:bg-surface')
      }
    >
      <span className="min-w-0">
        <span className="flex flex-wrap items-center gap-x-2">
          <span className="min-w-0 break-words">{row.store?.name ?? source ?? '—'}</span>
          <ExceptionTag row={row} />
        </span>
        <span className="num block text-small text-ink2">
          {date}
          {' · '}
          {t({ id: 'tx.items', message: plural(n, { one: '# item', other: '# items' }) })}
        </span>
      </span>
      <span
        className={
          'num text-end text-strong ' + (row.status === 'cancelled' ? 'text-ink2 line-through' : '')
        }
      >
        {money(row.netSpend)}
      </span>
      <Caret
        size={20}
        aria-hidden="true"
        className={
          'text-ink2 transition-transform duration-[120ms] still:transition-none ' +
          (inline && isOpen ? 'rotate-180' : '')
        }
      />
    </button>
  )
}

/** Arrow keys move between rows; Enter opens one, because rows are buttons. */
function moveWithArrows(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  const row = event.currentTarget
  const list = row.closest('[data-rows]')
  if (step === undefined || list === null) return
  const rows = [...list.querySelectorAll<HTMLElement>('[data-row]')]
  const next = rows[rows.indexOf(row) + step]
  if (next === undefined) return
  event.preventDefault()
  next.focus()
}
