import { useLingui } from '@lingui/react/macro'
import { type ExchangeRule, worth } from '@tillside/contract/rules/exchange'
import { useMoney } from '../company/money.ts'
import { formatPoints } from '../kit/text/format.ts'
import { Figure } from '../ui/paper/Figure.tsx'
import { Receipt } from '../ui/paper/Receipt.tsx'
import { ReceiptRow } from '../ui/paper/ReceiptRow.tsx'
import { difference } from './exchange.ts'

type SaleResultProps = {
  /** Null until they obey the rules. */
  points: number | null
  /** The amount of the sale; null if it is not known. */
  amount: string | null
  rule: ExchangeRule
}

const sum = 'flex items-baseline justify-between gap-x-6 border-t border-dashed border-line pt-2'
const unknown = '\u2014'

/** The sale as the till will print it, updated while the clerk types. */
export function SaleResult({ points, amount, rule }: SaleResultProps) {
  const { t } = useLingui()
  const money = useMoney()
  const paid = points === null ? null : worth(points, rule.pointValue, rule.decimals)
  const n = formatPoints(points ?? 0)
  const discount = paid === null ? '' : money(paid)
  const rest = paid === null || amount === null ? null : money(difference(amount, paid))
  const total = rest ?? (paid === null ? unknown : discount)
  return (
    <>
      <output className="sr-only">
        {paid === null ? null : (
          <>
            <span>{t({ id: 'ex.worth', message: `${n} points = ${discount} off` })}</span>{' '}
            {rest === null ? null : (
              <span>{t({ id: 'ex.pays', message: `Customer pays ${rest}` })}</span>
            )}
          </>
        )}
      </output>
      {/* An empty one would push the button below the edge of a phone. */}
      <div aria-hidden="true" className={paid === null ? 'max-expanded:hidden' : ''}>
        <Receipt>
          {rule.maxShare === null ? null : (
            // A phone has it in the field above, and the button must stay above the tabs.
            <div className="max-medium:hidden">
              <ReceiptRow
                label={t({ id: 'ex.amount', message: 'Sale amount' })}
                value={amount === null ? unknown : money(amount)}
              />
            </div>
          )}
          <ReceiptRow
            label={t({ id: 'iss.cost', message: `${n} points` })}
            value={paid === null ? unknown : money(`-${paid}`)}
          />
          <div className={sum}>
            <span className="text-strong">
              {rule.maxShare === null
                ? t({ id: 'ex.off', message: 'Off this sale' })
                : t({ id: 'ex.toPay', message: 'Customer pays' })}
            </span>
            <span className="flex min-w-[min(10rem,100%)] flex-1 text-end">
              <Figure size="l" as="span">
                {rule.maxShare !== null && rest === null ? unknown : total}
              </Figure>
            </span>
          </div>
        </Receipt>
      </div>
    </>
  )
}
