import { useLingui } from '@lingui/react/macro'
import type { Coupon } from '@tillside/contract/coupon'
import { useEffect, useRef } from 'react'
import { type ActionState, maySend } from '../kit/action.ts'
import { useOnline } from '../kit/online.ts'
import { Button } from '../ui/Button.tsx'
import type { Redeem } from './redeem.ts'

type ActionsProps = { state: ActionState<Coupon>; redeem: Redeem; onClose: () => void }

/** The buttons that the state of the redemption allows, the one that acts first. */
export function RedeemActions({ state, redeem, onClose }: ActionsProps) {
  const { t } = useLingui()
  const online = useOnline()
  if (state.step === 'done') return <Done onClose={onClose} />
  const close = t({ id: 'common.close', message: 'Close' })
  const paused = t({ id: 'off.bar', message: "You're offline. Redeeming is paused." })
  const sending = state.step === 'sending'
  if (state.step === 'unknown') {
    return (
      <>
        <Button
          kind="filled"
          size="large"
          busy={state.checking}
          disabled={!online}
          reason={paused}
          onClick={() => void redeem.check()}
        >
          {t({ id: 'rdm.check', message: 'Check status' })}
        </Button>
        <Button kind="text" size="large" disabled={state.checking} onClick={onClose}>
          {close}
        </Button>
      </>
    )
  }
  if (!sending && !maySend(state)) {
    return (
      <Button kind="outlined" size="large" onClick={onClose}>
        {close}
      </Button>
    )
  }
  return (
    <>
      <Button
        kind="filled"
        size="large"
        busy={sending}
        busyLabel={t({ id: 'rdm.busy', message: 'Redeeming…' })}
        disabled={!online && !sending}
        reason={paused}
        onClick={() => void redeem.send()}
      >
        {state.step === 'refused'
          ? t({ id: 'common.retry', message: 'Try again' })
          : t({ id: 'rdm.do', message: 'Redeem coupon' })}
      </Button>
      <Button kind="text" size="large" disabled={sending} onClick={onClose}>
        {t({ id: 'common.cancel', message: 'Cancel' })}
      </Button>
    </>
  )
}

const beforeFocus = 400
const beforeClosing = 4000

/** Closes by itself unless somebody is still looking: a touch or a key keeps it open. */
function Done({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const button = useRef<HTMLButtonElement>(null)
  const close = useRef(onClose)
  useEffect(() => {
    close.current = onClose
  })
  useEffect(() => {
    const focus = setTimeout(() => button.current?.focus(), beforeFocus)
    const leave = setTimeout(() => close.current(), beforeClosing)
    const stay = () => clearTimeout(leave)
    addEventListener('pointerdown', stay)
    addEventListener('keydown', stay)
    return () => {
      clearTimeout(focus)
      stay()
      removeEventListener('pointerdown', stay)
      removeEventListener('keydown', stay)
    }
  }, [])
  return (
    <Button ref={button} kind="filled" size="large" onClick={onClose}>
      {t({ id: 'common.done', message: 'Done' })}
    </Button>
  )
}
