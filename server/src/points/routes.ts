import { explainPoints, listGifts, pointHistory, redeemPoints } from '@tillside/contract/points'
import { serve } from '../http/serve.ts'
import { findNamedMember } from '../member/look-up.ts'
import { findSpendingTargets } from './spending.ts'
import { readGiftList } from './gifts.ts'
import { readHistory } from './history.ts'
import { redeem } from './redeem.ts'
import { explain } from './totals.ts'

// The routes of preview and cancel are in spending/, because they also need coupons.
export const pointRoutes = [
  serve(pointHistory, readHistory, { readOnly: true, readAhead: findNamedMember, standby: true }),
  serve(explainPoints, explain, { readOnly: true, readAhead: findNamedMember }),
  serve(listGifts, readGiftList, { readOnly: true, readAhead: findNamedMember }),
  serve(redeemPoints, redeem, { readAhead: findSpendingTargets }),
]
