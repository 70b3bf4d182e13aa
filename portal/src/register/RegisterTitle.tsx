import { useLingui } from '@lingui/react/macro'
import UserSwitchIcon from 'virtual:icons/user-switch'
import { BackLink } from '../kit/page/BackLink.tsx'
import { paths } from '../paths.ts'
import { Button } from '../ui/page/Button.tsx'

/** The title, the link back, and the button to hand the screen to the customer. */
export function RegisterTitle({ onHand }: { onHand: () => void }) {
  const { t } = useLingui()
  return (
    <div
      className={
        'mx-auto flex min-h-14 w-full max-w-[60rem] flex-wrap items-center gap-1 pe-1 ' +
        'medium:px-3 medium:pt-3'
      }
    >
      <BackLink {...paths.memberSearch()} className="mx-1" />
      <h1 className="text-title">{t({ id: 'reg.title', message: 'New member' })}</h1>
      <Button
        kind="text"
        className="ms-auto"
        icon={<UserSwitchIcon size={20} aria-hidden="true" />}
        onClick={onHand}
      >
        {t({ id: 'reg.turn', message: 'Turn to customer' })}
      </Button>
    </div>
  )
}
