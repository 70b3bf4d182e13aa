import { listTransactions as endpoint } from '@tillside/contract/transaction'
import { serveReading } from '../kit/serve.ts'
import { listTransactions } from './list.ts'

export const transactionRoutes = [serveReading(endpoint, listTransactions)]
