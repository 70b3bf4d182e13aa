import { listTiers } from '@tillside/contract/tier'
import { serve } from '../kit/serve.ts'
import { readTierList } from './list.ts'

export const tierRoutes = [serve(listTiers, readTierList)]
