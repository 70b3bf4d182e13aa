import { useLingui } from '@lingui/react/macro'
import { Button } from '../../ui/page/Button.tsx'
import type { Action, ActionState } from './action.ts'
import { useOnline } from '../device/online.ts'

type UnclearButtonsProps = {
  state: ActionState<unknown>
  action: Pick<Action<unknown>, 'send' | 'check'> | null
  /** The name of the action. */
  label: string
  /** Goes back to the form, once it is known that nothing has happened. */
  onEdit: () => void
}

/** The buttons of a form with an unknown result: first check the result, then continue or edit. */
export function UnclearButtons({ state, action, label, onEdit }: UnclearButtonsProps) {
  const { t } = useLingui()
  const online = useOnline()
  const reason = t({ id: 'off.short', message: "You're offline." })
  if (state.step !== 'checked') {
    return (
      <Button
        kind="filled"
        size="large"
        busy={state.step === 'unknown' && state.checking}
        disabled={!online}
        reason={reason}
        onClick={() => void action?.check()}
      >
        {t({ id: 'rdm.check', message: 'Check status' })}
      </Button>
    )
  }
  return (
    <div className="flex flex-col gap-2 medium:flex-row-reverse">
      <Button
        kind="filled"
        size="large"
        disabled={!online}
        reason={reason}
        onClick={() => void action?.send()}
      >
        {label}
      </Button>
      <Button kind="text" size="large" onClick={onEdit}>
        {t({ id: 'reg.edit', message: 'Back to the form' })}
      </Button>
    </div>
  )
}
