import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { Data } from '@tillside/contract/wire/endpoint'
import { hasNoEnd } from '@tillside/contract/rules/day'
import type { explainPoints } from '@tillside/contract/points'
import { useDates, useToday } from '../../company/calendar.ts'
import { formatPoints, isZeroDate } from '../../kit/text/format.ts'
import { withIndex } from '../../kit/page/withIndex.ts'
import { ExplainSheet } from '../../kit/page/ExplainSheet.tsx'
import { EmptyLine } from '../../ui/page/EmptyLine.tsx'
import { explainQuery, useTypeName } from '../points.ts'
import { Usable } from './Usable.tsx'
import { ReturnRows } from './ReturnRows.tsx'

type Explanation = Data<typeof explainPoints>
type Lot = Explanation['lots'][number]

type ExplainPointsProps = {
  open: boolean
  memberCode: string
  balance: number
  /** The expiry day that is explained; null explains the whole balance. */
  day: string | null
  onClose: () => void
}

/** Explains the balance in sentences that the clerk can read to the customer. */
export function ExplainPoints({ open, memberCode, balance, day, onClose }: ExplainPointsProps) {
  const { t } = useLingui()
  const query = useQuery(explainQuery(memberCode))
  const total = query.data?.balance ?? balance
  const all = formatPoints(total)
  const lots = (query.data?.lots ?? []).filter((lot) => day === null || lot.expiryDate === day)
  const n = formatPoints(lots.reduce((sum, lot) => sum + lot.remaining, 0))
  const date = useDates()(day ?? '')
  const title =
    day === null
      ? total < 0
        ? t({ id: 'why.debt', message: `Why the balance is ${all} points` })
        : t({ id: 'why.points', message: `Where the ${all} points come from` })
      : query.data === undefined
        ? t({ id: 'why.ends', message: `Points that expire on ${date}` })
        : t({ id: 'home.expire', message: `${n} points expire on ${date}` })
  return (
    <ExplainSheet
      open={open}
      onClose={onClose}
      title={title}
      name={t({ id: 'home.points', message: 'Points' })}
      query={query}
    >
      {(shown) => (
        <>
          <Rule rule={shown.rule} />
          {day === null ? <Parts shown={shown} /> : null}
          {lots.length === 0 && shown.returns.length === 0 ? (
            <EmptyLine>{t({ id: 'pt.empty', message: 'No points yet' })}</EmptyLine>
          ) : null}
          {day === null ? <ReturnRows returns={shown.returns} /> : null}
          {lots.length === 0 ? null : (
            <ul className="flex flex-col">
              {withIndex(lots).map(([key, lot]) => (
                <LotRow key={key} lot={lot} />
              ))}
            </ul>
          )}
        </>
      )}
    </ExplainSheet>
  )
}

/** The debt, or the points that can be used now and later, if both exist. */
function Parts({ shown: { balance, valid, pending } }: { shown: Explanation }) {
  const { t } = useLingui()
  const usable = formatPoints(valid)
  const n = formatPoints(pending)
  if (balance < 0) return <Usable balance={balance} valid={valid} />
  return (
    <p className="num text-small text-ink2">
      {pending === 0 ? null : (
        <span className="block">
          {t({ id: 'home.usable', message: `${usable} can be used today` })}
          {' · '}
          {t({ id: 'why.pending', message: `${n} later` })}
        </span>
      )}
      <span className="block">
        {t({ id: 'why.order', message: 'Points that expire first are used first.' })}
      </span>
    </p>
  )
}

function isOpen(expiryDate: string | null): expiryDate is null {
  return expiryDate === null || isZeroDate(expiryDate) || hasNoEnd(expiryDate)
}

function LotRow({ lot }: { lot: Lot }) {
  const { t } = useLingui()
  const dates = useDates()
  const today = useToday()
  const type = useTypeName()(lot.type)
  const all = formatPoints(lot.points)
  const from = dates(lot.activeFrom)
  const earned = lot.earnDate === null ? null : dates(lot.earnDate)
  const end = isOpen(lot.expiryDate) ? null : dates(lot.expiryDate)
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 border-t border-line py-2.5">
      <p className="min-w-0">
        {type}
        {lot.promotion === null ? null : <span className="block break-words">{lot.promotion}</span>}
        <span className="num block text-small break-words text-ink2">
          {[earned, lot.invoiceNumber].filter((part) => part !== null).join(' · ')}
        </span>
      </p>
      <p className="num text-end">
        <span className="text-strong">{formatPoints(lot.remaining)}</span>
        {lot.remaining === lot.points ? null : (
          <span className="block text-small text-ink2">
            {t({ id: 'why.of', message: `left of ${all}` })}
          </span>
        )}
      </p>
      <p className="num col-span-2 text-small text-ink2">
        {lot.activeFrom > today ? (
          <span className="block text-warning">
            {t({ id: 'why.from', message: `Can be used from ${from}` })}
          </span>
        ) : null}
        {end === null
          ? t({ id: 'why.never', message: 'Does not expire' })
          : t({ id: 'why.until', message: `Can be used until ${end}` })}
      </p>
    </li>
  )
}

function Rule({ rule }: { rule: Explanation['rule'] }) {
  const { t } = useLingui()
  const rate = withoutTrailingZeros(rule.perUnit)
  // Null if the clerk may not see the member's tier.
  const factor = rule.multiplier === null ? null : withoutTrailingZeros(rule.multiplier)
  const days = rule.pendingDays
  const months = rule.months ?? 0
  const lasts = {
    none: t({ id: 'why.none', message: 'They do not expire.' }),
    fixed: t({ id: 'why.fixed', message: 'They expire on the dates that the company has set.' }),
    months: t({
      id: 'why.months',
      message: plural(months, {
        one: 'They expire # month after they were earned, at the end of that month.',
        other: 'They expire # months after they were earned, at the end of that month.',
      }),
    }),
  }
  return (
    <div className="rounded-button bg-sunken px-4 py-3 text-small">
      <p>
        {t({ id: 'why.rate', message: `${rate} points for each 1.00 spent` })}
        {factor === null || factor === '1'
          ? null
          : ` ${t({ id: 'why.factor', message: `× ${factor} for this member’s tier` })}`}
      </p>
      {days === 0 ? null : (
        <p>
          {t({
            id: 'why.wait',
            message: plural(days, {
              one: 'They can be used # day after the sale.',
              other: 'They can be used # days after the sale.',
            }),
          })}
        </p>
      )}
      <p>{lasts[rule.expiry]}</p>
    </div>
  )
}

/** `1.2500` → `1.25`: removes trailing zeros. */
function withoutTrailingZeros(decimal: string): string {
  return decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal
}
