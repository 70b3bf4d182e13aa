import { listTiers } from '@tillside/contract/tier'
import { serve } from '../http/serve.ts'
import { readTierList } from './list.ts'

export const tierRoutes = [serve(listTiers, readTierList, { readOnly: true })]
