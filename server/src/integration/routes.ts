import {
  postMembers,
  postPoints,
  postTransactions,
  readMember,
} from '@tillside/contract/integration'
import { serveKey, serveKeyAhead } from '../kit/serve-key.ts'
import { createFromItems, showMember } from './members.ts'
import { movePoints } from './movements.ts'
import { recordReceipts, soleMember } from './transactions.ts'

export const integrationRoutes = [
  serveKeyAhead(postTransactions, soleMember, recordReceipts),
  serveKey(postMembers, createFromItems),
  serveKey(postPoints, movePoints),
  serveKey(readMember, showMember),
]
