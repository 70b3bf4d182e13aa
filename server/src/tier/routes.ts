import { explainTier, listTiers } from '@tillside/contract/tier'
import { serve } from '../http/serve.ts'
import { findNamedMember } from '../member/look-up.ts'
import { explain } from './explain.ts'
import { readTierList } from './list.ts'

export const tierRoutes = [
  serve(listTiers, readTierList, { readOnly: true }),
  serve(explainTier, explain, { readOnly: true, readAhead: findNamedMember }),
]
