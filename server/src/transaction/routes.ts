import { explainTier } from '@tillside/contract/tier'
import * as endpoints from '@tillside/contract/transaction'
import { serve } from '../http/serve.ts'
import { foundMember, ofNamedMember } from '../member/look-up.ts'
import { transactionDetail } from './detail.ts'
import { explain } from './explain-tier.ts'
import { listTransactions } from './list.ts'

export const transactionRoutes = [
  serve(endpoints.listTransactions, listTransactions, { ...ofNamedMember, standby: foundMember }),
  serve(endpoints.transactionDetail, transactionDetail, { ...ofNamedMember, standby: foundMember }),
  // This route is here and not in tier/, because the response lists receipts.
  serve(explainTier, explain, ofNamedMember),
]
