import { explainPoints, listGifts, redeemPoints } from '@tillside/contract/points'
import { atOnceOr } from '../http/at-once/at-once.ts'
import { serve } from '../http/serve.ts'
import { namedMember, ofNamedMember } from '../member/look-up.ts'
import { askToSpend } from './at-once/spend.ts'
import { findSpendingTargets } from './spending.ts'
import { readGiftList } from './gift/gifts.ts'
import { redeem } from './redeem.ts'
import { explain } from './totals.ts'

// The routes of history, preview and cancel are in spending/, because they also need coupons.
export const pointRoutes = [
  serve(explainPoints, explain, ofNamedMember),
  serve(listGifts, readGiftList, ofNamedMember),
  atOnceOr(
    redeemPoints,
    serve(redeemPoints, redeem, { readAhead: findSpendingTargets }),
    namedMember,
    askToSpend,
  ),
]
