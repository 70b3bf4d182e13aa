import { searchHistoryKey, staffActivity } from '@tillside/contract/activity'
import { operationStatus } from '@tillside/contract/wire/operation'
import { serve } from '../http/serve.ts'
import { readHistoryKey } from './history-key.ts'
import { readActivity } from './list.ts'
import { readOperation } from './operation.ts'

export const activityRoutes = [
  serve(staffActivity, readActivity, { readOnly: true }),
  serve(searchHistoryKey, readHistoryKey),
  serve(operationStatus, readOperation),
]
