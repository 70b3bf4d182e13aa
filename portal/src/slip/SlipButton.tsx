import { useLingui } from '@lingui/react/macro'
import PrinterIcon from 'virtual:icons/printer'
import { useState } from 'react'
import { Button } from '../ui/page/Button.tsx'
import type { SlipFacts } from './slip.ts'
import { later } from '../ui/load/later.tsx'

const SlipSheet = later(async () => (await import('./SlipSheet.tsx')).SlipSheet)

/** Opens the slip of what has just happened, ready to print. */
export function SlipButton({ facts }: { facts: SlipFacts }) {
  const { t } = useLingui()
  const [opened, setOpened] = useState(false)
  const [open, setOpen] = useState(false)
  // An answer without a time of its own was shown at this time.
  const [shownAt] = useState(() => new Date().toISOString())
  return (
    <span className="-mx-3 print:hidden">
      <Button
        kind="text"
        size="small"
        icon={<PrinterIcon size={20} aria-hidden="true" />}
        onClick={() => {
          setOpened(true)
          setOpen(true)
        }}
      >
        {t({ id: 'slip.open', message: 'Print a slip' })}
      </Button>
      {opened ? (
        <SlipSheet
          open={open}
          facts={{ ...facts, at: facts.at ?? shownAt }}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </span>
  )
}
