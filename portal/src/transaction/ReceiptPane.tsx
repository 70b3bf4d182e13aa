import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Loaded } from '../kit/page/Loaded.tsx'
import { EmptyLine } from '../ui/page/EmptyLine.tsx'
import { Skeleton } from '../ui/page/Skeleton.tsx'
import { PrintButton } from '../ui/paper/PrintButton.tsx'
import { ReceiptPaper } from './ReceiptPaper.tsx'
import { ReceiptSlip } from './ReceiptSlip.tsx'
import { isUnknownReceipt, receiptQuery } from './transactions.ts'

type ReceiptPaneProps = { memberCode: string; invoiceNumber: string }

/** One receipt: loading, failed, or shown with its buttons. */
export function ReceiptPane({ memberCode, invoiceNumber }: ReceiptPaneProps) {
  const { t } = useLingui()
  const query = useQuery(receiptQuery(memberCode, invoiceNumber))
  if (isUnknownReceipt(query.error)) {
    const number = invoiceNumber
    return (
      <EmptyLine>
        {t({ id: 'tx.unknown', message: `This member has no transaction ${number}.` })}
      </EmptyLine>
    )
  }
  return (
    <Loaded
      query={query}
      name={t({ id: 'tx.one', message: 'Transaction' })}
      skeleton={<Skeleton height="24rem" radius="ticket" />}
    >
      {(receipt) => (
        <div className="mx-auto flex w-full max-w-[26.25rem] flex-col gap-2" data-print="">
          <ReceiptPaper receipt={receipt} />
          <div className="flex flex-wrap justify-end gap-x-6">
            <ReceiptSlip receipt={receipt} />
            <PrintButton />
          </div>
        </div>
      )}
    </Loaded>
  )
}
