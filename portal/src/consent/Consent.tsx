import { useLingui } from '@lingui/react/macro'
import type { Language } from '@tillside/contract/wire/language'
import { useState } from 'react'
import { useLanguage } from '../kit/text/language.ts'
import { Button } from '../ui/page/Button.tsx'
import { Tick } from '../ui/field/Tick.tsx'
import { TermsSheet } from './TermsSheet.tsx'
import type { Terms } from './TermsText.tsx'

export type Agreed = {
  terms: boolean
  marketing: boolean
  /**
   * The language in which the customer read the terms: the one on screen when the box was ticked.
   */
  language: Language | null
}

type ConsentProps = {
  terms: Terms
  agreed: Agreed
  error: string | undefined
  onChange: (agreed: Agreed) => void
}

/**
 * The customer's consent to the terms and to marketing. Both boxes start unticked, because consent
 * must be given actively.
 */
export function Consent({ terms, agreed, error, onChange }: ConsentProps) {
  const { t } = useLingui()
  const language = useLanguage()
  const [reading, setReading] = useState(false)
  const agree = (value: boolean) =>
    onChange({ ...agreed, terms: value, language: value ? language : null })
  return (
    <div className="flex flex-col gap-1">
      <Tick
        id="field-terms"
        label={t({ id: 'reg.terms', message: 'I agree to the membership terms' })}
        checked={agreed.terms}
        error={error}
        aria-required
        onChange={agree}
        beside={
          <Button kind="text" size="small" className="mt-0.5" onClick={() => setReading(true)}>
            {t({ id: 'reg.read', message: 'Read' })}
          </Button>
        }
      />
      <Tick
        label={t({
          id: 'reg.marketing',
          message: 'Send me offers by SMS and email (optional)',
        })}
        checked={agreed.marketing}
        onChange={(value) => onChange({ ...agreed, marketing: value })}
      />
      <TermsSheet
        open={reading}
        terms={terms}
        agreed={agreed.terms}
        onAgree={agree}
        onClose={() => setReading(false)}
      />
    </div>
  )
}
