import { useLingui } from '@lingui/react/macro'
import { UserSwitchIcon } from '@phosphor-icons/react/dist/csr/UserSwitch'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Member } from '@tillside/contract/member'
import { useState } from 'react'
import { useLanguage } from '../kit/language.ts'
import { Loaded } from '../kit/Loaded.tsx'
import { useOnline } from '../kit/online.ts'
import { UnclearButtons } from '../kit/UnclearButtons.tsx'
import { Button } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { Tick } from '../ui/Tick.tsx'
import { showToast } from '../ui/toastStore.ts'
import type { Agreed } from './Consent.tsx'
import { registerConfigQuery, useResign } from './consents.ts'
import { HandOver } from './HandOver.tsx'
import { type Terms, TermsText } from './TermsText.tsx'

type ResignSheetProps = { member: Member; open: boolean; onClose: () => void }

/** The terms of today, one box that nobody has ticked, and whether offers are welcome. */
export function ResignSheet({ member, open, onClose }: ResignSheetProps) {
  const { t } = useLingui()
  const online = useOnline()
  const language = useLanguage()
  const config = useQuery({
    ...registerConfigQuery(language),
    placeholderData: keepPreviousData,
  })
  const [agreed, setAgreed] = useState<Agreed>({
    terms: false,
    marketing: member.marketingOptIn,
    language: null,
  })
  const [untold, setUntold] = useState(false)
  const [handed, setHanded] = useState(false)
  const done = t({ id: 'tnc.ok', message: 'Re sign Success' })
  const resign = useResign(member.memberCode, () => {
    onClose()
    showToast({ tone: 'success', text: done })
  })
  const title = config.data?.tnc.title ?? t({ id: 'tnc.title', message: 'Membership terms' })
  const send = () => {
    setUntold(!agreed.terms)
    if (agreed.language === null || config.data === undefined) return
    resign.send({
      memberCode: member.memberCode,
      tncVersion: config.data.tnc.version,
      marketingOptIn: agreed.marketing,
      consentLanguage: agreed.language,
    })
  }
  const question = (
    <Loaded query={config} name={title} skeleton={<Skeleton height="16rem" />}>
      {({ tnc }) => (
        <Question
          terms={tnc}
          agreed={agreed}
          untold={untold}
          onChange={(next) => {
            setAgreed(next)
            if (next.terms) setUntold(false)
          }}
        />
      )}
    </Loaded>
  )
  if (handed) {
    return (
      <HandOver title={title} onBack={() => setHanded(false)}>
        {question}
      </HandOver>
    )
  }
  return (
    <Sheet
      open={open}
      onClose={onClose}
      busy={resign.busy}
      title={title}
      actions={
        resign.open ? (
          <UnclearButtons
            state={resign.state}
            action={resign.action}
            label={t({ id: 'tnc.agree', message: 'Agree again' })}
            onEdit={resign.edit}
          />
        ) : (
          <>
            <Button
              kind="filled"
              size="large"
              busy={resign.busy}
              busyLabel={t({ id: 'tnc.busy', message: 'Saving…' })}
              disabled={!online && !resign.busy}
              reason={t({ id: 'off.short', message: "You're offline." })}
              onClick={send}
            >
              {t({ id: 'tnc.agree', message: 'Agree again' })}
            </Button>
            <Button kind="text" size="large" disabled={resign.busy} onClick={onClose}>
              {t({ id: 'common.cancel', message: 'Cancel' })}
            </Button>
          </>
        )
      }
    >
      <div>
        <Button
          kind="text"
          size="small"
          className="-ms-3"
          icon={<UserSwitchIcon size={20} aria-hidden="true" />}
          onClick={() => setHanded(true)}
        >
          {t({ id: 'reg.turn', message: 'Turn to customer' })}
        </Button>
      </div>
      <div inert={resign.busy || resign.open} className="flex flex-col gap-3">
        {question}
      </div>
      {resign.state.step === 'refused' || resign.open ? (
        <Notice tone="danger">
          {t({ id: 'tnc.fail', message: 'Re signing failed, please try again later' })}
        </Notice>
      ) : null}
    </Sheet>
  )
}

type QuestionProps = {
  terms: Terms
  agreed: Agreed
  untold: boolean
  onChange: (agreed: Agreed) => void
}

function Question({ terms, agreed, untold, onChange }: QuestionProps) {
  const { t } = useLingui()
  const language = useLanguage()
  const must = t({ id: 'reg.termsReq', message: 'The customer must agree to the terms to join.' })
  return (
    <>
      <TermsText terms={terms} />
      <Tick
        label={t({ id: 'reg.terms', message: 'I agree to the membership terms' })}
        checked={agreed.terms}
        error={untold ? must : undefined}
        onChange={(value) =>
          onChange({ ...agreed, terms: value, language: value ? language : null })
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
    </>
  )
}
