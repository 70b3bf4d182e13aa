import { useLingui } from '@lingui/react/macro'
import type { Language } from '@tillside/contract/wire/language'
import { useState } from 'react'
import { useSupportedLanguages } from '../company/company.ts'
import { Logo } from '../company/Logo.tsx'
import { languageNames, showLanguage, useLanguage } from '../kit/text/language.ts'
import { Segmented } from '../ui/field/Segmented.tsx'
import { Notice } from '../ui/page/Notice.tsx'

/** The head of every view for the customer: the company's colour and logo, and the language. */
export function CustomerHead() {
  const { t } = useLingui()
  const supported = useSupportedLanguages()
  const language = useLanguage()
  const [failed, setFailed] = useState(false)
  const choose = (chosen: Language) => {
    showLanguage(chosen).then(
      () => setFailed(false),
      () => setFailed(true),
    )
  }
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <Logo large />
        {supported.length > 1 ? (
          <Segmented
            label={t({ id: 'set.language', message: 'Language' })}
            options={supported.map((value) => ({ value, label: languageNames[value] }))}
            value={language}
            onChange={choose}
          />
        ) : null}
      </div>
      {failed ? (
        <Notice tone="danger">
          {t({ id: 'set.langFailed', message: 'The language could not be changed.' })}
        </Notice>
      ) : null}
      <div className="h-1 shrink-0 rounded-full bg-brand" aria-hidden="true" />
    </>
  )
}
