import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useState, type ReactNode } from 'react'
import { queryClient } from '../kit/call/query.ts'
import { valueCallPending } from '../kit/call/portalState.ts'
import { Button } from '../ui/page/Button.tsx'
import { Sheet } from '../ui/layer/Sheet.tsx'

const stay = () => undefined

/**
 * Another tab now uses another company; this page can only be closed (specification, section 2).
 */
export function OtherIdentifier({ onAccept }: { onAccept: () => void }): ReactNode {
  const { t } = useLingui()
  // A pending call continues, but this page will not show its result.
  const [pending] = useState(valueCallPending.get)
  return (
    <Sheet
      open
      onClose={stay}
      title={t({
        id: 'tab.text',
        message: 'cannot use more than one identifier at the same time',
      })}
      note={
        pending ? (
          <Trans id="perm.checkLast">Check the last redemption after logging in.</Trans>
        ) : undefined
      }
      actions={
        // Not in a brand colour, because two companies are involved.
        <Button kind="outlined" size="large" onClick={onAccept}>
          <Trans id="common.ok">OK</Trans>
        </Button>
      }
    />
  )
}

/** The blank page after the message was confirmed. */
export function Closed(): ReactNode {
  const { t } = useLingui()
  const title = t({ id: 'tab.closed', message: 'Closed' })
  useEffect(() => {
    queryClient.clear()
    document.title = title
  }, [title])
  return <main />
}
