import { useLingui } from '@lingui/react/macro'
import type { Member } from '@tillside/contract/member'
import { useState } from 'react'
import { Button } from '../ui/page/Button.tsx'
import { Notice } from '../ui/page/Notice.tsx'
import { later } from '../ui/load/later.tsx'

const ResignSheet = later(async () => (await import('./ResignSheet.tsx')).ResignSheet)

/** Says that the terms have changed since the member agreed to them, and offers to agree again. */
export function ResignNotice({ member }: { member: Member }) {
  const { t } = useLingui()
  const [asked, setAsked] = useState(false)
  const [open, setOpen] = useState(false)
  return (
    <>
      <Notice
        tone="warning"
        quiet
        action={
          <Button
            kind="outlined"
            size="small"
            onClick={() => {
              setAsked(true)
              setOpen(true)
            }}
          >
            {t({ id: 'tnc.agree', message: 'Agree again' })}
          </Button>
        }
      >
        {t({
          id: 'tnc.changed',
          message: 'The terms have changed. Ask the customer to agree again.',
        })}
      </Notice>
      {asked ? <ResignSheet member={member} open={open} onClose={() => setOpen(false)} /> : null}
    </>
  )
}
