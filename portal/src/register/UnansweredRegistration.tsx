import { useLingui } from '@lingui/react/macro'
import type { Member } from '@tillside/contract/member'
import { useEffect, useRef, useState } from 'react'
import { useAction } from '../kit/action/useAction.ts'
import { Button } from '../ui/page/Button.tsx'
import { resumeRegistration } from './registration.ts'
import { RegistrationNotice } from './SubmitBar.tsx'

type UnansweredRegistrationProps = { keyName: string; onMade: (member: Member) => void }

/** A registration that was sent before the page was left, and got no answer. */
export function UnansweredRegistration({ keyName, onMade }: UnansweredRegistrationProps) {
  const { t } = useLingui()
  const { state, action } = useAction(() => resumeRegistration(keyName), keyName)
  const [closed, close] = useState(false)
  const tell = useRef(onMade)
  useEffect(() => {
    tell.current = onMade
  })
  useEffect(() => {
    if (state.step === 'done') tell.current(state.data)
  }, [state])
  if (closed || action === null || state.step === 'idle' || state.step === 'confirm') return null
  return (
    <div className="mx-auto flex w-full max-w-[60rem] flex-col gap-2 px-4 pt-4 medium:px-6">
      <RegistrationNotice state={state} />
      <div>
        {state.step === 'unknown' ? (
          <Button kind="outlined" busy={state.checking} onClick={() => void action.check()}>
            {t({ id: 'rdm.check', message: 'Check status' })}
          </Button>
        ) : (
          <Button
            kind="text"
            onClick={() => {
              action.drop()
              close(true)
            }}
          >
            {t({ id: 'common.close', message: 'Close' })}
          </Button>
        )}
      </div>
    </div>
  )
}
