import { useLingui } from '@lingui/react/macro'
import UserSwitchIcon from 'virtual:icons/user-switch'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Language } from '@tillside/contract/wire/language'
import type { Member } from '@tillside/contract/member'
import { useId, useState } from 'react'
import { useLanguage } from '../kit/text/language.ts'
import { useShownSigning } from '../kit/store/scene.ts'
import { Loaded } from '../kit/page/Loaded.tsx'
import { useOnline } from '../kit/device/online.ts'
import { UnclearButtons } from '../kit/action/UnclearButtons.tsx'
import { Button } from '../ui/page/Button.tsx'
import { FieldGroup } from '../ui/field/FieldGroup.tsx'
import { Notice } from '../ui/page/Notice.tsx'
import { Sheet } from '../ui/layer/Sheet.tsx'
import { Skeleton } from '../ui/page/Skeleton.tsx'
import { Tick } from '../ui/field/Tick.tsx'
import { useControlled } from '../ui/field/useControlled.ts'
import { showToast } from '../ui/layer/toastStore.ts'
import { registerConfigQuery, useResign } from './consents.ts'
import { HandOver } from './HandOver.tsx'
import { type Terms, TermsText } from './TermsText.tsx'

type ResignSheetProps = { member: Member; open: boolean; onClose: () => void }

type Answers = {
  /**
   * The language in which the customer read the terms when the box was ticked; null if it is not
   * ticked.
   */
  language: Language | null
  /** Null until the customer has answered. An earlier answer does not count as today's. */
  marketing: boolean | null
}

const noAnswers: Answers = { language: null, marketing: null }

/** Asks for consent to the current terms, and whether marketing messages are welcome. */
export function ResignSheet({ member, open, onClose }: ResignSheetProps) {
  const { t } = useLingui()
  const online = useOnline()
  const language = useLanguage()
  const config = useQuery({
    ...registerConfigQuery(language),
    placeholderData: keepPreviousData,
  })
  const [answers, setAnswers] = useState(noAnswers)
  const [showMissing, setShowMissing] = useState(false)
  const [handed, setHanded] = useState(false)
  const agreed = { terms: answers.language !== null, marketing: answers.marketing === true }
  useShownSigning(open ? { contacts: [], ...agreed } : null)
  const done = t({ id: 'tnc.ok', message: 'Re sign Success' })
  const resign = useResign(member.memberCode, () => {
    onClose()
    showToast({ tone: 'success', text: done })
  })
  const { state } = resign
  const reason =
    state.step === 'refused' ? state.message : state.step === 'unknown' ? state.reason : undefined
  const title = config.data?.tnc.title ?? t({ id: 'tnc.title', message: 'Membership terms' })
  const send = () => {
    const { language: read, marketing } = answers
    setShowMissing(read === null || marketing === null)
    if (read === null || marketing === null || config.data === undefined) return
    resign.send({
      memberCode: member.memberCode,
      tncVersion: config.data.tnc.version,
      marketingOptIn: marketing,
      consentLanguage: read,
    })
  }
  const question = (
    <Loaded query={config} name={title} skeleton={<Skeleton height="16rem" />}>
      {({ tnc }) => (
        <Question
          terms={tnc}
          before={member.marketingOptIn === true}
          answers={answers}
          showMissing={showMissing}
          onChange={setAnswers}
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
            state={state}
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
      {state.step === 'refused' || resign.open ? (
        <Notice tone="danger">
          <p>{t({ id: 'tnc.fail', message: 'Re signing failed, please try again later' })}</p>
          {reason === undefined ? null : <p className="text-small text-ink2">{reason}</p>}
        </Notice>
      ) : null}
    </Sheet>
  )
}

type QuestionProps = {
  terms: Terms
  /** The member's present answer about marketing messages. */
  before: boolean
  answers: Answers
  showMissing: boolean
  onChange: (answers: Answers) => void
}

function Question({ terms, before, answers, showMissing, onChange }: QuestionProps) {
  const { t } = useLingui()
  const language = useLanguage()
  const must = t({ id: 'reg.termsReq', message: 'The customer must agree to the terms to join.' })
  return (
    <>
      <TermsText terms={terms} />
      <Tick
        label={t({ id: 'reg.terms', message: 'I agree to the membership terms' })}
        checked={answers.language !== null}
        error={showMissing && answers.language === null ? must : undefined}
        aria-required
        onChange={(value) => onChange({ ...answers, language: value ? language : null })}
      />
      <Offers
        before={before}
        chosen={answers.marketing}
        showMissing={showMissing && answers.marketing === null}
        onChoose={(marketing) => onChange({ ...answers, marketing })}
      />
    </>
  )
}

type OffersProps = {
  before: boolean
  chosen: boolean | null
  showMissing: boolean
  onChoose: (agreed: boolean) => void
}

/** Yes or no, with neither preselected, so that an earlier yes is not withdrawn by accident. */
function Offers({ before, chosen, showMissing, onChoose }: OffersProps) {
  const { t } = useLingui()
  const name = useId()
  const restore = useControlled()
  const yes = t({ id: 'prof.yes', message: 'Agreed' })
  const no = t({ id: 'prof.no', message: 'Not agreed' })
  const said = before ? yes : no
  const must = t({ id: 'reg.required', message: 'This field is required' })
  return (
    <FieldGroup
      label={t({ id: 'prof.marketing', message: 'Marketing messages' })}
      hint={t({ id: 'tnc.before', message: `Until now: ${said}` })}
      error={showMissing ? must : undefined}
    >
      <div className="flex flex-wrap gap-2">
        {[true, false].map((value) => (
          <label key={String(value)} className="choice">
            <input
              type="radio"
              name={name}
              checked={chosen === value}
              onChange={() => {
                onChoose(value)
                restore()
              }}
              className="absolute inset-0 size-full cursor-pointer opacity-0"
            />
            <span className="min-w-0">{value ? yes : no}</span>
          </label>
        ))}
      </div>
    </FieldGroup>
  )
}
