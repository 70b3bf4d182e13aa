import { explainTier, listTiers } from '@tillside/contract/tier'
import { serveAhead, serveReading } from '../http/serve.ts'
import { memberAhead } from '../member/look-up.ts'
import { explain } from './explain.ts'
import { readTierList } from './list.ts'

export const tierRoutes = [
  serveReading(listTiers, readTierList),
  serveAhead(explainTier, memberAhead, explain),
]
