import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useQuery,
} from '@tanstack/react-query'
import { getDictionary } from '@tillside/contract/company'
import {
  listTransactions,
  transactionDetail,
  type TransactionRow,
} from '@tillside/contract/transaction'
import { lastReceiptOf } from '../ahead/inputs.ts'
import { call } from '../kit/call/call.ts'
import { Refusal } from '../kit/call/failure.ts'
import { useLanguage } from '../kit/text/language.ts'

const rowsAtOnce = 50

/**
 * The member's receipts, newest first, page by page.
 * @param part only receipts whose number contains it; empty: all
 */
export const receiptsQuery = (memberCode: string, part: string) =>
  infiniteQueryOptions({
    queryKey: ['member', memberCode, 'transactions', 'list', part],
    queryFn: ({ pageParam, signal }) =>
      call(
        listTransactions,
        {
          memberCode,
          pageSize: rowsAtOnce,
          ...(part === '' ? {} : { invoiceNumber: part }),
          ...(pageParam === '' ? {} : { cursor: pageParam }),
        },
        { signal, quiet: true },
      ),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // Keeps the rows on screen while the next search is loading.
    placeholderData: keepPreviousData,
  })

/** Only the newest receipt. */
export const lastReceiptQuery = (memberCode: string) =>
  queryOptions({
    queryKey: ['member', memberCode, 'transactions', 'last'],
    queryFn: ({ signal }) =>
      call(listTransactions, lastReceiptOf(memberCode), { signal, quiet: true }),
  })

/** One receipt with its lines. */
export const receiptQuery = (memberCode: string, invoiceNumber: string) =>
  queryOptions({
    queryKey: ['member', memberCode, 'transactions', 'detail', invoiceNumber],
    queryFn: ({ signal }) =>
      call(transactionDetail, { memberCode, invoiceNumber }, { signal, quiet: true }),
  })

/** Whether the member has no receipt with that number. */
export function isUnknownReceipt(error: unknown): boolean {
  return error instanceof Refusal && error.refusal === 'transactionUnknown'
}

/** The company's names for the codes on a receipt; '' until they are loaded. */
export type ReceiptWords = {
  status: (code: TransactionRow['status']) => string
  type: (code: TransactionRow['invoiceType']) => string
  /** Null if the code has no name. */
  source: (code: number) => string | null
}

/** The company's names for receipts, in the current language. */
export function useReceiptWords(): ReceiptWords {
  const language = useLanguage()
  const { data } = useQuery({
    queryKey: ['dictionary', 'receipt', language],
    queryFn: ({ signal }) =>
      call(
        getDictionary,
        { types: ['transactionStatus', 'invoiceType', 'transactionSource'] },
        { signal, quiet: true },
      ),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return {
    status: (code) => named(data?.transactionStatus, code) ?? '',
    type: (code) => named(data?.invoiceType, code) ?? '',
    source: (code) => named(data?.transactionSource, code) ?? null,
  }
}

function named(names: { code: string | number; name: string }[] = [], wanted: string | number) {
  return names.find(({ code }) => code === wanted)?.name
}

/** The company's name for a transaction that is not an ordinary sale; otherwise null. */
export function exceptionOf(
  row: Pick<TransactionRow, 'status' | 'invoiceType'>,
  words: ReceiptWords,
): { name: string; isCancelled: boolean } | null {
  const isOrdinary = row.status === 'completed' && row.invoiceType === 'sale'
  const name = row.status === 'completed' ? words.type(row.invoiceType) : words.status(row.status)
  return isOrdinary || name === '' ? null : { name, isCancelled: row.status === 'cancelled' }
}
