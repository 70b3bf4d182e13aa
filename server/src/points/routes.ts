import { explainPoints, listGifts, redeemPoints } from '@tillside/contract/points'
import { serve } from '../http/serve.ts'
import { ofNamedMember } from '../member/look-up.ts'
import { findSpendingTargets } from './spending.ts'
import { readGiftList } from './gifts.ts'
import { redeem } from './redeem.ts'
import { explain } from './totals.ts'

// The routes of history, preview and cancel are in spending/, because they also need coupons.
export const pointRoutes = [
  serve(explainPoints, explain, ofNamedMember),
  serve(listGifts, readGiftList, ofNamedMember),
  serve(redeemPoints, redeem, { readAhead: findSpendingTargets }),
]
