import { listTiers } from '@tillside/contract/tier'
import { serveReading } from '../kit/serve.ts'
import { readTierList } from './list.ts'

export const tierRoutes = [serveReading(listTiers, readTierList)]
