import {
  postMembers,
  postPoints,
  postTransactions,
  readMember,
  readPointReport,
} from '@tillside/contract/integration'
import { serveKey } from '../http/serve-key.ts'
import { createFromItems, showMember } from './members.ts'
import { movePoints } from './movements.ts'
import { reportToKey } from './report.ts'
import { recordReceipts } from './transactions.ts'

export const integrationRoutes = [
  serveKey(postTransactions, recordReceipts),
  serveKey(postMembers, createFromItems),
  serveKey(postPoints, movePoints),
  serveKey(readMember, showMember),
  serveKey(readPointReport, reportToKey),
]
