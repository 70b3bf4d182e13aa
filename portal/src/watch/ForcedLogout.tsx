import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Button } from '../ui/page/Button.tsx'
import { Sheet } from '../ui/layer/Sheet.tsx'

type Props = {
  /** A value-moving call was in flight, so its result must be checked. */
  pending: boolean
  onAccept: () => void
}

const stay = () => undefined

/**
 * The permissions changed: the clerk must log out, so there is no cancel (specification, section
 * 8).
 */
export function ForcedLogout({ pending, onAccept }: Props): ReactNode {
  const { t } = useLingui()
  return (
    <Sheet
      open
      onClose={stay}
      title={t({
        id: 'perm.changed',
        message: 'Your permissions have been changed, please log in again',
      })}
      note={
        pending ? (
          <Trans id="perm.checkLast">Check the last redemption after logging in.</Trans>
        ) : undefined
      }
      actions={
        <Button kind="filled" size="large" onClick={onAccept}>
          <Trans id="common.ok">OK</Trans>
        </Button>
      }
    />
  )
}
