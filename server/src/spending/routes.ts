import { cancelPoints, previewPoints } from '@tillside/contract/points'
import { serve } from '../http/serve.ts'
import { cancelSpending } from './cancel.ts'
import { preview } from './preview.ts'

export const spendingRoutes = [
  serve(previewPoints, preview, { readOnly: true }),
  serve(cancelPoints, cancelSpending),
]
