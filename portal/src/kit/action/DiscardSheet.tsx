import { useLingui } from '@lingui/react/macro'
import { Button } from '../../ui/page/Button.tsx'
import { Sheet } from '../../ui/layer/Sheet.tsx'

type DiscardSheetProps = { open: boolean; onKeep: () => void; onDiscard: () => void }

/** Asks whether unsaved input may be discarded. */
export function DiscardSheet({ open, onKeep, onDiscard }: DiscardSheetProps) {
  const { t } = useLingui()
  return (
    <Sheet
      open={open}
      onClose={onKeep}
      title={t({ id: 'prof.discardQ', message: 'Discard changes?' })}
      actions={
        <>
          <Button kind="filled" size="large" onClick={onKeep}>
            {t({ id: 'prof.keep', message: 'Keep editing' })}
          </Button>
          <Button kind="text" size="large" onClick={onDiscard}>
            {t({ id: 'prof.discard', message: 'Discard' })}
          </Button>
        </>
      }
    />
  )
}
