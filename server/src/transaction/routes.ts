import * as endpoints from '@tillside/contract/transaction'
import { serveStale } from '../http/serve-stale.ts'
import { memberAhead } from '../member/look-up.ts'
import { transactionDetail } from './detail.ts'
import { listTransactions } from './list.ts'

export const transactionRoutes = [
  serveStale(endpoints.listTransactions, memberAhead, listTransactions),
  serveStale(endpoints.transactionDetail, memberAhead, transactionDetail),
]
