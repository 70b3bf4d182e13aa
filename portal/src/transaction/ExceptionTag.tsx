import type { TransactionRow } from '@tillside/contract/transaction'
import { Tag } from '../ui/paper/Tag.tsx'
import { exceptionOf, useReceiptWords } from './transactions.ts'

/** Only what is not an ordinary sale is marked, in the company's own words. */
export function ExceptionTag({ row }: { row: TransactionRow }) {
  const exception = exceptionOf(row, useReceiptWords())
  if (exception === null) return null
  return <Tag tone={exception.isCancelled ? 'danger' : 'neutral'}>{exception.name}</Tag>
}
