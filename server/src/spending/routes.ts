import { cancelPoints, pointHistory, previewPoints } from '@tillside/contract/points'
import { atOnceOr } from '../http/at-once/at-once.ts'
import { serve } from '../http/serve.ts'
import { foundMember, namedMember, ofNamedMember } from '../member/look-up.ts'
import { askToCancel } from './at-once.ts'
import { cancelSpending } from './cancel.ts'
import { readNamedHistory } from './history.ts'
import { preview } from './preview.ts'

export const spendingRoutes = [
  serve(pointHistory, readNamedHistory, { ...ofNamedMember, standby: foundMember }),
  serve(previewPoints, preview, { readOnly: true, usesClock: true }),
  atOnceOr(
    cancelPoints,
    serve(cancelPoints, cancelSpending, { readAhead: namedMember.find }),
    namedMember,
    askToCancel,
  ),
]
