import { useLingui } from '@lingui/react/macro'
import type { ActivityTotal } from '@tillside/contract/activity'
import type { ReactNode } from 'react'
import { useMoney } from '../company/money.ts'
import { formatPoints } from '../kit/text/format.ts'
import { useKindTexts } from './useKindTexts.ts'

/** The totals of a shift as a table, in the order in which a till prints them. */
export function Totals({ totals }: { totals: readonly ActivityTotal[] }): ReactNode {
  const { t } = useLingui()
  const { kinds } = useKindTexts()
  const money = useMoney()
  const hasPoints = totals.some(({ points }) => points !== null)
  const hasAmount = totals.some(({ amount }) => amount !== null)
  const head = 'pb-1 text-end text-caption font-medium text-ink2'
  const cell = 'num py-2 ps-3 text-end align-baseline'
  return (
    <div className="@container">
      <table className="w-full border-b border-line text-body @max-[16rem]:block">
        <caption className="sr-only">{t({ id: 'shift.totals', message: 'Totals' })}</caption>
        <thead className="@max-[16rem]:sr-only">
          <tr>
            <th scope="col" className={`${head} text-start!`}>
              {t({ id: 'shift.kind', message: 'Kind' })}
            </th>
            <th scope="col" className={head}>
              {t({ id: 'shift.count', message: 'Number' })}
            </th>
            {hasPoints ? (
              <th scope="col" className={head}>
                {t({ id: 'nav.points', message: 'Points' })}
              </th>
            ) : null}
            {hasAmount ? (
              <th scope="col" className={head}>
                {t({ id: 'shift.paid', message: 'Paid' })}
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody className="@max-[16rem]:block">
          {totals.map(({ kind, count, undone, points, amount }) => (
            // With large text on a phone, the kind has a line of its own.
            <tr
              key={kind}
              className="border-t border-line @max-[16rem]:flex @max-[16rem]:flex-wrap"
            >
              <th
                scope="row"
                className="py-2 text-start align-baseline font-normal @max-[16rem]:basis-full"
              >
                {kinds[kind]}
                {undone === 0 ? null : (
                  <span className="num block text-small text-ink2">
                    {t({ id: 'shift.undoneCount', message: `${undone} undone` })}
                  </span>
                )}
              </th>
              <td className={`${cell} text-strong`}>{count}</td>
              {hasPoints ? (
                <td className={cell}>{points === null ? '' : formatPoints(points, true)}</td>
              ) : null}
              {hasAmount ? <td className={cell}>{amount === null ? '' : money(amount)}</td> : null}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
