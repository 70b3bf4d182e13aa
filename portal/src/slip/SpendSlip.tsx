import type { redeemPoints } from '@tillside/contract/points'
import type { Data } from '@tillside/contract/wire/endpoint'
import { useLingui } from '@lingui/react/macro'
import { useMoney } from '../company/money.ts'
import { formatPoints } from '../kit/text/format.ts'
import { SlipButton } from './SlipButton.tsx'

type SpendSlipProps = {
  done: Data<typeof redeemPoints>
  gift: string | null
  operation: string | null
}

/** The slip of points that have just been spent. */
export function SpendSlip({ done: { entry, amount, balance }, gift, operation }: SpendSlipProps) {
  const { t } = useLingui()
  const money = useMoney()
  const rows = [
    {
      label: gift ?? t({ id: 'ex.sale', message: 'Against this sale' }),
      value: formatPoints(entry.points, true),
    },
    ...(amount === null
      ? []
      : [{ label: t({ id: 'ex.off', message: 'Off this sale' }), value: money(amount) }]),
    ...(entry.invoiceNumber === null
      ? []
      : [{ label: t({ id: 'pt.invoice', message: 'Invoice no.' }), value: entry.invoiceNumber }]),
  ]
  const title = t({ id: 'ex.ok', message: 'Points redeemed' })
  return <SlipButton facts={{ title, rows, balance, at: entry.createDate, operation }} />
}
