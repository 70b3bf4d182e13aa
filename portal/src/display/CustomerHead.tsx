import { useLingui } from '@lingui/react/macro'
import type { Language } from '@tillside/contract/wire/language'
import { useSupportedLanguages } from '../company/company.ts'
import { Logo } from '../company/Logo.tsx'
import { languageNames, showLanguage, useLanguage } from '../kit/text/language.ts'
import { Segmented } from '../ui/field/Segmented.tsx'

/** The head of every view for the customer: the company's colour and logo, and the language. */
export function CustomerHead() {
  const { t } = useLingui()
  const supported = useSupportedLanguages()
  const language = useLanguage()
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <Logo large />
        {supported.length > 1 ? (
          <Segmented
            label={t({ id: 'set.language', message: 'Language' })}
            options={supported.map((value) => ({ value, label: languageNames[value] }))}
            value={language}
            onChange={(chosen: Language) => void showLanguage(chosen)}
          />
        ) : null}
      </div>
      <div className="h-1 shrink-0 rounded-full bg-brand" aria-hidden="true" />
    </>
  )
}
