import { cancelPoints, pointHistory, previewPoints } from '@tillside/contract/points'
import { serve } from '../http/serve.ts'
import { ofNamedMember } from '../member/look-up.ts'
import { cancelSpending } from './cancel.ts'
import { readNamedHistory } from './history.ts'
import { preview } from './preview.ts'

export const spendingRoutes = [
  serve(pointHistory, readNamedHistory, { ...ofNamedMember, standby: true }),
  serve(previewPoints, preview, { readOnly: true, usesClock: true }),
  serve(cancelPoints, cancelSpending),
]
