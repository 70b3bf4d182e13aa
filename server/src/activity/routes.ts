import { staffActivity } from '@tillside/contract/activity'
import { serveReading } from '../kit/serve.ts'
import { readActivity } from './list.ts'

export const activityRoutes = [serveReading(staffActivity, readActivity)]
