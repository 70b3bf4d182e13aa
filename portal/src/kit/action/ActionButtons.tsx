import { useLingui } from '@lingui/react/macro'
import { Button } from '../../ui/page/Button.tsx'
import { type Action, type ActionState, maySend } from './action.ts'
import { useOnline } from '../device/online.ts'

type ActionButtonsProps = {
  state: ActionState<unknown>
  /** Null until the request is known. */
  action: Pick<Action<unknown>, 'send' | 'check'> | null
  onClose: () => void
  /** The name of the action. */
  label: string
  busyLabel: string
  /** Asks for a missing entry; the main button is then disabled. */
  missing?: string | undefined
}

/** The buttons that the state of a request allows; the main one is first. */
export function ActionButtons(props: ActionButtonsProps) {
  const { state, action, onClose, label, busyLabel, missing } = props
  const { t } = useLingui()
  const online = useOnline()
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
          onClick={() => void action?.check()}
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
        busyLabel={busyLabel}
        disabled={(!online && !sending) || missing !== undefined}
        reason={missing ?? paused}
        onClick={() => void action?.send()}
      >
        {state.step === 'refused' ? t({ id: 'common.retry', message: 'Try again' }) : label}
      </Button>
      <Button kind="text" size="large" disabled={sending} onClick={onClose}>
        {t({ id: 'common.cancel', message: 'Cancel' })}
      </Button>
    </>
  )
}
