import type { TransactionRow } from '@tillside/contract/transaction'
import { Tag } from '../ui/paper/Tag.tsx'
import { exceptionOf, useReceiptWords } from './transactions.ts'

/** Marks a transaction that is not an ordinary sale, with the company's own word. */
export function ExceptionTag({ row }: { row: TransactionRow }) {
  const exception = exceptionOf(row, useReceiptWords())
  if (exception === null) return null
  return <Tag tone={exception.isCancelled ? 'danger' : 'neutral'}>{exception.name}</Tag>
}
