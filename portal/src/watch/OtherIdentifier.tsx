import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useState, type ReactNode } from 'react'
import { queryClient } from '../kit/call/query.ts'
import { valueCallPending } from '../kit/call/portalState.ts'
import { Button } from '../ui/page/Button.tsx'
import { Sheet } from '../ui/layer/Sheet.tsx'

const stay = () => undefined

/** Another tab serves another company now: this one says so, and has nothing else to offer. */
export function OtherIdentifier({ onAccept }: { onAccept: () => void }): ReactNode {
  const { t } = useLingui()
  // What was under way finishes, but nobody will be here to read how.
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
        // No brand: which one would it be?
        <Button kind="outlined" size="large" onClick={onAccept}>
          <Trans id="common.ok">OK</Trans>
        </Button>
      }
    />
  )
}

/** What is left of the page: nothing to see and nothing to press. */
export function Closed(): ReactNode {
  const { t } = useLingui()
  const title = t({ id: 'tab.closed', message: 'Closed' })
  useEffect(() => {
    queryClient.clear()
    document.title = title
  }, [title])
  return <main />
}
