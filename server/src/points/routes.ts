import { explainPoints, listGifts, pointHistory, redeemPoints } from '@tillside/contract/points'
import { serveAhead, serveChangeAhead } from '../http/serve.ts'
import { serveStale } from '../http/serve-stale.ts'
import { memberAhead } from '../member/look-up.ts'
import { spendingNamed } from './decide.ts'
import { readGiftList } from './gifts.ts'
import { readHistory } from './history.ts'
import { redeem } from './redeem.ts'
import { explain } from './totals.ts'

// The doors of preview and cancel are in coupon/: those calls know gifts, money and coupons.
export const pointRoutes = [
  serveStale(pointHistory, memberAhead, readHistory),
  serveAhead(explainPoints, memberAhead, explain),
  serveAhead(listGifts, memberAhead, readGiftList),
  serveChangeAhead(redeemPoints, spendingNamed, redeem),
]
