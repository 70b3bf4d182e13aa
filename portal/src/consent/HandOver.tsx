import { useLingui } from '@lingui/react/macro'
import { type ReactNode, useEffect, useState } from 'react'
import type { Language } from '@tillside/contract/wire/language'
import { useSupportedLanguages } from '../company/company.ts'
import { languageNames, showLanguage, useLanguage } from '../kit/text/language.ts'
import { Button } from '../ui/page/Button.tsx'
import { FullScreen } from '../ui/layer/FullScreen.tsx'
import { Segmented } from '../ui/field/Segmented.tsx'

type HandOverProps = { title: string; onBack: () => void; children: ReactNode }

/**
 * A full-screen view for the customer, in a language of their choice, so that personal data need
 * not be said aloud. The clerk's language is restored when the screen is handed back.
 */
export function HandOver({ title, onBack, children }: HandOverProps) {
  const { t } = useLingui()
  const supported = useSupportedLanguages()
  const language = useLanguage()
  const [clerks] = useState(language)
  useEffect(() => () => void showLanguage(clerks), [clerks])
  return (
    <FullScreen open onClose={onBack} title={title}>
      {supported.length > 1 ? (
        <Segmented
          label={t({ id: 'set.language', message: 'Language' })}
          options={supported.map((value) => ({ value, label: languageNames[value] }))}
          value={language}
          onChange={(chosen: Language) => void showLanguage(chosen)}
        />
      ) : null}
      {children}
      <div className="mt-auto flex flex-col pt-2">
        <Button kind="filled" size="large" onClick={onBack}>
          {t({ id: 'reg.back', message: 'Done, hand back' })}
        </Button>
      </div>
    </FullScreen>
  )
}
