import { listTransactions as endpoint } from '@tillside/contract/transaction'
import { serveAhead } from '../kit/serve.ts'
import { memberAhead } from '../member/look-up.ts'
import { listTransactions } from './list.ts'

export const transactionRoutes = [serveAhead(endpoint, memberAhead, listTransactions)]
