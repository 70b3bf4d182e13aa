import { useLingui } from '@lingui/react/macro'
import { useMoney } from '../company/money.ts'
import { formatPoints } from '../kit/text/format.ts'
import { useTypeName } from '../points/points.ts'
import { SlipButton } from '../slip/SlipButton.tsx'
import type { WholeReceipt } from './ReceiptPaper.tsx'

/** The slip of a receipt: its number, what was paid, and what it did to the points. */
export function ReceiptSlip({ receipt }: { receipt: WholeReceipt }) {
  const { t } = useLingui()
  const money = useMoney()
  const typeName = useTypeName()
  const { invoiceNumber, netSpend, points, date, store } = receipt
  const rows = [
    { label: t({ id: 'pt.invoice', message: 'Invoice no.' }), value: invoiceNumber },
    { label: t({ id: 'tx.net', message: 'Net spend' }), value: money(netSpend) },
    ...(points ?? []).map(({ type, points: moved }) => ({
      label: typeName(type),
      value: formatPoints(moved, true),
    })),
  ]
  const title = t({ id: 'tx.one', message: 'Transaction' })
  return <SlipButton facts={{ title, rows, at: date, store, operation: null }} />
}
