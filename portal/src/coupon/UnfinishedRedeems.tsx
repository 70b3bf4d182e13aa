import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { formatCode } from '../kit/format.ts'
import { useSession } from '../kit/session.ts'
import { Button } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import { unansweredRedeems } from './redeem.ts'
import { RedeemNotice } from './RedeemNotice.tsx'
import { useRedeem } from './useRedeem.ts'

type UnfinishedRedeemsProps = {
  memberCode: string
  /** The coupon whose sheet is open: there the clerk sees its state. */
  except?: string | undefined
}

/** Redemptions of this member that were sent and never answered, also before a reload. */
export function UnfinishedRedeems({ memberCode, except }: UnfinishedRedeemsProps) {
  const clerk = useSession()
  const unanswered = clerk ? unansweredRedeems(clerk, memberCode) : []
  const [atFirst] = useState(unanswered)
  // One that has been answered in its own sheet has nothing left to say here.
  return [...new Set([...atFirst, ...unanswered])]
    .filter((couponCode) => couponCode !== except)
    .map((couponCode) => (
      <Unfinished
        key={couponCode}
        memberCode={memberCode}
        couponCode={couponCode}
        open={unanswered.includes(couponCode)}
      />
    ))
}

type UnfinishedProps = { memberCode: string; couponCode: string; open: boolean }

function Unfinished({ memberCode, couponCode, open }: UnfinishedProps) {
  const { t } = useLingui()
  const { state, redeem } = useRedeem(memberCode, couponCode)
  if (redeem === null || state.step === 'idle' || state.step === 'confirm') return null
  if (state.step === 'unknown' && !open) return null
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
        <Button
          kind="outlined"
          className="self-start"
          busy={state.checking}
          onClick={() => void redeem.check()}
        >
          {t({ id: 'rdm.check', message: 'Check status' })}
        </Button>
      ) : null}
    </div>
  )
}
