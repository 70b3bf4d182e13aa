import { searchHistoryKey, staffActivity } from '@tillside/contract/activity'
import { serve, serveReading } from '../kit/serve.ts'
import { readHistoryKey } from './history-key.ts'
import { readActivity } from './list.ts'

export const activityRoutes = [
  serveReading(staffActivity, readActivity),
  serve(searchHistoryKey, readHistoryKey),
]
