import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { getDictionary } from '@tillside/contract/company'
import { listTransactions, type TransactionRow } from '@tillside/contract/transaction'
import { useDates } from '../company/calendar.ts'
import { call } from '../kit/call.ts'
import { formatMoney } from '../kit/format.ts'
import { Loaded } from '../kit/Loaded.tsx'
import { Block } from '../ui/Block.tsx'
import { EmptyLine } from '../ui/EmptyLine.tsx'
import { Receipt } from '../ui/Receipt.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { Tag } from '../ui/Tag.tsx'

const lastTransactionQuery = (memberCode: string) =>
  queryOptions({
    queryKey: ['member', memberCode, 'transactions', 'last'],
    queryFn: ({ signal }) =>
      call(listTransactions, { memberCode, pageSize: 1 }, { signal, quiet: true }),
  })

/** The newest sale, as the slip that the customer may have in the hand. */
export function LastTransaction({ memberCode }: { memberCode: string }) {
  const { t } = useLingui()
  const title = t({ id: 'home.lastTx', message: 'Last transaction' })
  const query = useQuery(lastTransactionQuery(memberCode))
  return (
    <Block title={title}>
      <Loaded query={query} name={title} skeleton={<Skeleton height="5rem" radius="ticket" />}>
        {({ items: [row] }) =>
          row ? (
            <Slip row={row} />
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
  const date = useDates()(row.date)
  const n = row.itemCount
  const cancelled = row.status === 'cancelled'
  return (
    <Receipt>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1">
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-2">
            <span className="min-w-0 break-words">{row.store?.name ?? row.invoiceNumber}</span>
            <Exception row={row} />
          </p>
          <p className="num text-small text-ink2">
            {date}
            {' · '}
            {t({ id: 'tx.items', message: plural(n, { one: '# item', other: '# items' }) })}
          </p>
        </div>
        <p className={`num ms-auto text-strong ${cancelled ? 'text-ink2 line-through' : ''}`}>
          {formatMoney(row.netSpend)}
        </p>
      </div>
    </Receipt>
  )
}

/** Only what is not an ordinary sale is marked, in the company's own words. */
function Exception({ row }: { row: TransactionRow }) {
  const { data } = useQuery({
    queryKey: ['dictionary', 'transaction'],
    queryFn: ({ signal }) =>
      call(getDictionary, { types: ['transactionStatus', 'invoiceType'] }, { signal, quiet: true }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const [names, code] =
    row.status === 'completed'
      ? [data?.invoiceType, row.invoiceType]
      : [data?.transactionStatus, row.status]
  const name = names?.find((entry) => entry.code === code)?.name
  if (code === 'sale' || name === undefined) return null
  return <Tag tone={code === 'cancelled' ? 'danger' : 'neutral'}>{name}</Tag>
}
