import * as endpoints from '@tillside/contract/transaction'
import { serveAhead } from '../kit/serve.ts'
import { memberAhead } from '../member/look-up.ts'
import { transactionDetail } from './detail.ts'
import { listTransactions } from './list.ts'

export const transactionRoutes = [
  serveAhead(endpoints.listTransactions, memberAhead, listTransactions),
  serveAhead(endpoints.transactionDetail, memberAhead, transactionDetail),
]
