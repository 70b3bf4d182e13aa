import { useLingui } from '@lingui/react/macro'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { PointEntry } from '@tillside/contract/points'
import { type ReactNode, useMemo, useState } from 'react'
import { useDates, useDays, useToday } from '../company/calendar.ts'
import { AsOf } from '../kit/page/AsOf.tsx'
import { formatPoints } from '../kit/text/format.ts'
import { Loaded } from '../kit/page/Loaded.tsx'
import { More } from '../kit/page/More.tsx'
import { EmptyLine } from '../ui/page/EmptyLine.tsx'
import { Figure } from '../ui/paper/Figure.tsx'
import { Segmented } from '../ui/field/Segmented.tsx'
import { Skeleton } from '../ui/page/Skeleton.tsx'
import { Expiry, ExplainBalance } from './PointsBlock.tsx'
import { PointRows } from './PointRows.tsx'
import { explainQuery, historyQuery, useTypeName } from './points.ts'
import { BalanceChart } from './BalanceChart.tsx'
import { Usable } from './explain/Usable.tsx'
import { lossesOf, type Mark, chartOf } from './balanceChart.ts'

type PointsPageProps = {
  memberCode: string
  /** The link to spend points. */
  action: ReactNode
}

/** The balance and its history: earned, used and expiring points. */
export function PointsPage({ memberCode, action }: PointsPageProps) {
  const { t } = useLingui()
  const history = useInfiniteQuery(historyQuery(memberCode))
  const [chosen, setChosen] = useState<string | null>(null)
  const name = t({ id: 'nav.points', message: 'Points' })
  const pages = history.data?.pages
  const entries = useMemo(() => pages?.flatMap(({ items }) => items) ?? [], [pages])
  return (
    <div className="flex flex-col gap-5">
      <h2 className="sr-only">{name}</h2>
      <Loaded query={history} name={name} skeleton={<PageSkeleton />}>
        {({ pages: [first] }) =>
          first === undefined ? null : (
            <>
              <Head totals={first.totals} memberCode={memberCode} action={action} />
              {entries.length === 0 ? (
                <EmptyLine>{t({ id: 'pt.empty', message: 'No points yet' })}</EmptyLine>
              ) : (
                <>
                  <ChartSection
                    memberCode={memberCode}
                    entries={entries}
                    complete={!history.hasNextPage}
                    balance={first.totals.balance}
                    chosen={chosen}
                    onChoose={setChosen}
                  />
                  <AsOf
                    updatedAt={history.dataUpdatedAt}
                    busy={history.isFetching}
                    onRefresh={() => void history.refetch()}
                  />
                  <Ledger
                    memberCode={memberCode}
                    entries={entries}
                    more={history.hasNextPage}
                    chosen={chosen}
                  />
                  <More
                    name={t({ id: 'pt.history', message: 'History' })}
                    more={history.hasNextPage}
                    busy={history.isFetchingNextPage}
                    error={history.isFetchNextPageError ? history.error : null}
                    onMore={() => void history.fetchNextPage()}
                  />
                </>
              )}
            </>
          )
        }
      </Loaded>
    </div>
  )
}

type Totals = { balance: number; valid: number; earned: number; redeemedOrExpired: number }
type HeadProps = { totals: Totals; memberCode: string; action: ReactNode }

function Head({ totals, memberCode, action }: HeadProps) {
  const { t } = useLingui()
  return (
    <div className="flex flex-wrap items-end gap-x-8 gap-y-3">
      <div
        className={
          'flex w-full flex-wrap items-end justify-between gap-x-4 gap-y-2 ' +
          'medium:w-auto medium:min-w-44'
        }
      >
        <ExplainBalance memberCode={memberCode} balance={totals.balance}>
          <span className="block text-small text-ink2">
            {t({ id: 'home.points', message: 'Points' })}
          </span>
          <Figure size="xl" as="span">
            {formatPoints(totals.balance)}
          </Figure>
        </ExplainBalance>
        <span className="medium:hidden">{action}</span>
      </div>
      <Total label={t({ id: 'pt.earned', message: 'Earned' })} value={totals.earned} />
      <Total
        label={t({ id: 'pt.gone', message: 'Redeemed and expired' })}
        value={totals.redeemedOrExpired}
      />
      <span className="ms-auto hidden medium:block">{action}</span>
      <Usable balance={totals.balance} valid={totals.valid} />
    </div>
  )
}

function Total({ label, value }: { label: string; value: number }) {
  return (
    <p className="num">
      <span className="block text-small text-ink2">{label}</span>
      <span className="text-title font-normal">{formatPoints(value)}</span>
    </p>
  )
}

type ChartSectionProps = {
  memberCode: string
  entries: readonly PointEntry[]
  complete: boolean
  balance: number
  chosen: string | null
  onChoose: (id: string) => void
}

/** The balance chart. It shows the past even if the expiring points cannot be loaded. */
function ChartSection({
  memberCode,
  entries,
  complete,
  balance,
  chosen,
  onChoose,
}: ChartSectionProps) {
  const { t } = useLingui()
  const explained = useQuery(explainQuery(memberCode))
  const today = useToday()
  const day = useDays()
  const dates = useDates()
  const typeName = useTypeName()
  const lots = explained.data?.lots
  const losses = useMemo(() => lossesOf(lots ?? []).filter((l) => l.day >= today), [lots, today])
  const shape = useMemo(() => {
    const rows = entries.map((e) => ({ ...e, day: day(e.createDate) }))
    return chartOf({ entries: rows, complete, balance, today, losses })
  }, [entries, complete, balance, today, losses, day])
  const describe = ({ ids, up }: Mark) => {
    const entry = entries.find(({ id }) => id === ids[0])
    if (entry === undefined) return up ? '+' : '−'
    const points = formatPoints(entry.points, true)
    return `${typeName(entry.type)}, ${dates(entry.createDate)}, ${points}`
  }
  const mark = shape.marks.find(({ ids }) => chosen !== null && ids.includes(chosen))
  const partial = !complete && shape.past[0]?.x !== 0
  const [next] = losses
  return (
    <div className="flex flex-col gap-2">
      {next ? (
        // On a large screen the rail already shows it.
        <div className="-mt-3 expanded:hidden">
          <Expiry
            points={next.points}
            expiryDate={next.day}
            memberCode={memberCode}
            balance={balance}
          />
        </div>
      ) : null}
      <BalanceChart
        shape={shape}
        balance={balance}
        nextLoss={next ?? null}
        chosen={chosen}
        onChoose={onChoose}
        describe={describe}
      />
      <p className="num flex min-h-5 flex-wrap justify-between gap-x-4 text-small text-ink2">
        <span>{mark ? describe(mark) : null}</span>
        {partial ? (
          <span>{t({ id: 'pt.partial', message: 'Based on the records shown' })}</span>
        ) : null}
      </p>
      {explained.isError ? (
        <Loaded
          query={explained}
          name={t({ id: 'pt.future', message: 'Expiring points' })}
          skeleton={null}
        >
          {() => null}
        </Loaded>
      ) : null}
    </div>
  )
}

type Filter = 'all' | 'in' | 'out'
type LedgerProps = {
  memberCode: string
  entries: readonly PointEntry[]
  more: boolean
  chosen: string | null
}

function Ledger({ memberCode, entries, more, chosen }: LedgerProps) {
  const { t } = useLingui()
  const [filter, setFilter] = useState<Filter>('all')
  const shown = useMemo(
    () => (filter === 'all' ? entries : entries.filter((e) => (filter === 'in') === e.points > 0)),
    [entries, filter],
  )
  return (
    <div>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <Segmented
          label={t({ id: 'pt.filter', message: 'Show' })}
          options={[
            { value: 'all', label: t({ id: 'home.all', message: 'All' }) },
            { value: 'in', label: t({ id: 'pt.in', message: 'In' }) },
            { value: 'out', label: t({ id: 'pt.out', message: 'Out' }) },
          ]}
          value={filter}
          onChange={setFilter}
        />
        {more && filter !== 'all' ? (
          <p className="text-small text-ink2">
            {t({ id: 'pt.partial', message: 'Based on the records shown' })}
          </p>
        ) : null}
      </div>
      {shown.length === 0 ? (
        <EmptyLine>{t({ id: 'pt.none', message: 'No records of this kind' })}</EmptyLine>
      ) : (
        <PointRows entries={shown} chosen={chosen} memberCode={memberCode} />
      )}
    </div>
  )
}

function PageSkeleton() {
  return (
    <div className="flex flex-col gap-3">
      <Skeleton width="11rem" height="3.5rem" />
      <Skeleton height="12rem" radius="card" />
      {[1, 2, 3, 4, 5, 6].map((row) => (
        <Skeleton key={row} height="3rem" />
      ))}
    </div>
  )
}
