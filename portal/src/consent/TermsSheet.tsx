import { useLingui } from '@lingui/react/macro'
import { Button } from '../ui/page/Button.tsx'
import { Sheet } from '../ui/layer/Sheet.tsx'
import { Tick } from '../ui/field/Tick.tsx'
import { type Terms, TermsText } from './TermsText.tsx'

type TermsSheetProps = {
  open: boolean
  terms: Terms
  agreed: boolean
  onAgree: (agreed: boolean) => void
  onClose: () => void
}

/** Shows the terms, with the same consent box below them. */
export function TermsSheet({ open, terms, agreed, onAgree, onClose }: TermsSheetProps) {
  const { t } = useLingui()
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={terms.title}
      actions={
        <Button kind="outlined" size="large" onClick={onClose}>
          {t({ id: 'common.done', message: 'Done' })}
        </Button>
      }
    >
      <TermsText terms={terms} />
      <Tick
        label={t({ id: 'reg.terms', message: 'I agree to the membership terms' })}
        checked={agreed}
        onChange={onAgree}
      />
    </Sheet>
  )
}
