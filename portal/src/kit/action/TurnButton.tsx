import { useLingui } from '@lingui/react/macro'
import UserSwitchIcon from 'virtual:icons/user-switch'
import { Button } from '../../ui/page/Button.tsx'
import { turned } from '../store/scene.ts'

/** Turns the screen to the customer: to a question, or to its result. */
export function TurnButton({ step }: { step: string }) {
  const { t } = useLingui()
  if (step !== 'confirm' && step !== 'done') return null
  return (
    <div>
      <Button
        kind="text"
        size="small"
        className="-ms-3"
        icon={<UserSwitchIcon size={20} aria-hidden="true" />}
        onClick={() => turned.set(true)}
      >
        {t({ id: 'set.turn', message: 'Turn to customer' })}
      </Button>
    </div>
  )
}
