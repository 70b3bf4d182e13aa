import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { TransactionRow } from '@tillside/contract/transaction'
import type { ReactNode } from 'react'
import { useDates } from '../company/calendar.ts'
import { useMoney } from '../company/money.ts'
import { Loaded } from '../kit/page/Loaded.tsx'
import { paths } from '../paths.ts'
import { Block } from '../ui/page/Block.tsx'
import { EmptyLine } from '../ui/page/EmptyLine.tsx'
import { Receipt } from '../ui/paper/Receipt.tsx'
import { Skeleton } from '../ui/page/Skeleton.tsx'
import { ExceptionTag } from './ExceptionTag.tsx'
import { lastReceiptQuery } from './transactions.ts'

type LastTransactionProps = {
  memberCode: string
  /** The link to all transactions. */
  all: ReactNode
}

/** The newest sale in the form of a receipt. */
export function LastTransaction({ memberCode, all }: LastTransactionProps) {
  const { t } = useLingui()
  const title = t({ id: 'home.lastTx', message: 'Last transaction' })
  const query = useQuery(lastReceiptQuery(memberCode))
  const [row] = query.data?.items ?? []
  return (
    <Block title={title} action={row ? all : null}>
      <Loaded query={query} name={title} skeleton={<Skeleton height="5rem" radius="ticket" />}>
        {() =>
          row ? (
            <Link
              {...paths.memberReceipt(memberCode, row.invoiceNumber)}
              className="block rounded-ticket"
            >
              <Slip row={row} />
            </Link>
          ) : (
            <EmptyLine>{t({ id: 'tx.empty', message: 'No transactions yet' })}</EmptyLine>
          )
        }
      </Loaded>
    </Block>
  )
}

function Slip({ row }: { row: TransactionRow }) {
  const { t } = useLingui()
  const money = useMoney()
  const date = useDates()(row.date)
  const n = row.itemCount
  const cancelled = row.status === 'cancelled'
  return (
    <Receipt>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1">
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-2">
            <span className="min-w-0 break-words">{row.store?.name ?? row.invoiceNumber}</span>
            <ExceptionTag row={row} />
          </p>
          <p className="num text-small text-ink2">
            {date}
            {' · '}
            {t({ id: 'tx.items', message: plural(n, { one: '# item', other: '# items' }) })}
          </p>
        </div>
        <p className={`num ms-auto text-strong ${cancelled ? 'text-ink2 line-through' : ''}`}>
          {money(row.netSpend)}
        </p>
      </div>
    </Receipt>
  )
}
