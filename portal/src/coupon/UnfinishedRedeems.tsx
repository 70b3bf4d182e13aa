import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { formatCode } from '../kit/format.ts'
import { useSession } from '../kit/session.ts'
import { Button } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import { unansweredRedeems } from './redeem.ts'
import { RedeemNotice } from './RedeemNotice.tsx'
import { useRedeem } from './useRedeem.ts'

/** Redemptions of this member that were sent before a reload and never answered. */
export function UnfinishedRedeems({ memberCode }: { memberCode: string }) {
  const clerk = useSession()
  const [couponCodes] = useState(() => (clerk ? unansweredRedeems(clerk, memberCode) : []))
  return couponCodes.map((couponCode) => (
    <Unfinished key={couponCode} memberCode={memberCode} couponCode={couponCode} />
  ))
}

function Unfinished({ memberCode, couponCode }: { memberCode: string; couponCode: string }) {
  const { t } = useLingui()
  const { state, redeem } = useRedeem(memberCode, couponCode)
  if (redeem === null || state.step === 'idle') return null
  return (
    <div className="flex flex-col gap-2">
      <p className="num text-small text-ink2">
        {t({ id: 'cpn.code', message: 'Coupon code' })} {formatCode(couponCode)}
      </p>
      {state.step === 'done' ? (
        <Notice tone="success">
          {t({ id: 'rdm.ok', message: 'Coupon redeemed successfully' })}
        </Notice>
      ) : (
        <RedeemNotice state={state} />
      )}
      {state.step === 'unknown' ? (
        <Button kind="outlined" busy={state.checking} onClick={() => void redeem.check()}>
          {t({ id: 'rdm.check', message: 'Check status' })}
        </Button>
      ) : null}
    </div>
  )
}
