import { useLingui } from '@lingui/react/macro'
import type { Coupon } from '@tillside/contract/coupon'
import type { ActionState } from '../kit/action.ts'
import { Notice } from '../ui/Notice.tsx'
import { useLate } from '../ui/useLate.ts'

const long = 10_000

/** What the clerk must know about the answer, or about the lack of one. */
export function RedeemNotice({ state }: { state: ActionState<Coupon> }) {
  const { t } = useLingui()
  const waiting = useLate(state.step === 'sending', long)
  const stillWaiting = t({
    id: 'rdm.waiting',
    message: "Still waiting for the server. Please don't redeem again.",
  })
  if (waiting) return <Notice tone="warning">{stillWaiting}</Notice>
  if (state.step === 'refused') return <Notice tone="danger">{state.message}</Notice>
  if (state.step === 'unknown') {
    return (
      <Notice tone="warning">
        {state.running
          ? stillWaiting
          : t({
              id: 'rdm.unknown',
              message: "We couldn't confirm the result. Do not redeem again before checking.",
            })}
      </Notice>
    )
  }
  if (state.step === 'checked') {
    return (
      <Notice tone="info">
        {t({ id: 'rdm.intact', message: 'The coupon has not been redeemed.' })}
      </Notice>
    )
  }
  if (state.step === 'done') {
    return (
      <output className="sr-only">
        {t({ id: 'rdm.ok', message: 'Coupon redeemed successfully' })}
      </output>
    )
  }
  return null
}
