import { useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { scene, turned } from '../kit/store/scene.ts'
import { useStore } from '../kit/store/store.ts'
import { showLanguage, useLanguage } from '../kit/text/language.ts'
import { FullScreen } from '../ui/layer/FullScreen.tsx'
import { Button } from '../ui/page/Button.tsx'
import { CustomerHead } from './CustomerHead.tsx'
import { DisplayView, useGreeting } from './DisplayView.tsx'

const back = () => turned.set(false)

/** The customer display on the clerk's own tablet, until it is handed back. */
export function TurnedDisplay() {
  const { t } = useLingui()
  const shown = useStore(scene)
  const language = useLanguage()
  const [clerks] = useState(language)
  useEffect(() => () => void showLanguage(clerks), [clerks])
  return (
    <FullScreen open onClose={back} title={useGreeting()(shown)} head={<CustomerHead />}>
      <DisplayView scene={shown} />
      <div className="mt-auto flex flex-col pt-2">
        <Button kind="filled" size="large" onClick={back}>
          {t({ id: 'reg.back', message: 'Done, hand back' })}
        </Button>
      </div>
    </FullScreen>
  )
}
