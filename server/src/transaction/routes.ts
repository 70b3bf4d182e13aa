import { listTransactions as endpoint } from '@tillside/contract/transaction'
import { serve } from '../kit/serve.ts'
import { listTransactions } from './list.ts'

export const transactionRoutes = [serve(endpoint, listTransactions)]
