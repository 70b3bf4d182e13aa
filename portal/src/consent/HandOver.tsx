import { useLingui } from '@lingui/react/macro'
import { type ReactNode, useEffect, useState } from 'react'
import { CustomerHead } from '../display/CustomerHead.tsx'
import { showLanguage, useLanguage } from '../kit/text/language.ts'
import { Button } from '../ui/page/Button.tsx'
import { FullScreen } from '../ui/layer/FullScreen.tsx'

type HandOverProps = { title: string; onBack: () => void; children: ReactNode }

/**
 * A full-screen view for the customer, in a language of their choice, so that personal data need
 * not be said aloud. The clerk's language is restored when the screen is handed back.
 */
export function HandOver({ title, onBack, children }: HandOverProps) {
  const { t } = useLingui()
  const language = useLanguage()
  const [clerks] = useState(language)
  useEffect(() => () => void showLanguage(clerks), [clerks])
  return (
    <FullScreen open onClose={onBack} title={title} head={<CustomerHead />}>
      {children}
      <div className="mt-auto flex flex-col pt-2">
        <Button kind="filled" size="large" onClick={onBack}>
          {t({ id: 'reg.back', message: 'Done, hand back' })}
        </Button>
      </div>
    </FullScreen>
  )
}
