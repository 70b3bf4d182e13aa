import { useLingui } from '@lingui/react/macro'
import type { RegisterConfig } from '@tillside/contract/company'
import { failures } from '@tillside/contract/wire/failures'
import { createCustomer, type Member } from '@tillside/contract/member'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { ErrorSummary, type Problem, useProblems } from '../form/ErrorSummary.tsx'
import { LeaveGuard } from '../kit/action/LeaveGuard.tsx'
import { focusOn } from '../form/useMemberForm.ts'
import { useFieldErrorTexts } from '../form/useFieldErrorTexts.ts'
import { emptyValues, isEmpty, withField, toWire } from '../form/values.ts'
import { useShownSigning } from '../kit/store/scene.ts'
import { type Refusal, refusalData } from '../kit/call/failure.ts'
import { loadPhones } from '../member/phones.ts'
import type { LookUp } from '../paths.ts'
import type { Agreed } from '../consent/Consent.tsx'
import { HandOver } from '../consent/HandOver.tsx'
import { About, Contacts, Consents, type ConfigState } from './RegisterGroups.tsx'
import { RegisterTitle } from './RegisterTitle.tsx'
import { SubmitBar } from './SubmitBar.tsx'
import { draftName, type RegisterFormState, useRegisterForm } from './useRegisterForm.ts'
import { useRegistration } from './useRegistration.ts'

type RegisterFormProps = {
  config: ConfigState
  given: LookUp | null
  onMade: (member: Member) => void
}

const nothingAgreed: Agreed = { terms: false, marketing: false, language: null }

/**
 * One page with three groups instead of a wizard, because customers give their data in any order.
 */
export function RegisterForm({ config, given, onMade }: RegisterFormProps) {
  const { t } = useLingui()
  const state = useRegisterForm(config.data, given)
  const [agreed, setAgreed] = useState(nothingAgreed)
  const [showTermsError, setShowTermsError] = useState(false)
  const [handed, setHanded] = useState(false)
  const registration = useRegistration(onMade, refused)
  const problems = useAllProblems(state, showTermsError)
  const { terms, marketing } = agreed
  useShownSigning({ contacts: typedContacts(state), terms, marketing })
  useFirstField(config.data !== undefined, state, given !== null)
  const agree = (next: Agreed) => {
    setAgreed(next)
    if (next.terms) setShowTermsError(false)
  }

  function refused(refusal: Refusal): void {
    const names = showRefusal(state, refusal)
    const stale = refusalData(refusal, failures.invalid)?.fields.some(
      ({ path }) => path === 'tncVersion',
    )
    if (stale) {
      // The terms have changed: they must be loaded and agreed to again.
      setAgreed(nothingAgreed)
      setShowTermsError(true)
      config.again()
    }
    const [first] = stale ? [...names, 'terms'] : names
    if (first !== undefined) focusOn({ name: first })
  }

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const { data } = config
    if (data === undefined || registration.busy || registration.open) return
    // Numbers are validated and sent by the rules of their country.
    await loadPhones().catch(() => null)
    const wrong = validate(state)
    setShowTermsError(!agreed.terms)
    const [first] = agreed.terms ? wrong : [...wrong, 'terms']
    if (first !== undefined) return focusOn({ name: first })
    const input = inputOf(state, data, agreed)
    if (input !== null) registration.send(input)
  }

  const contacts = <Contacts state={state} handed={handed} />
  const consents = (
    <Consents
      config={config}
      agreed={agreed}
      error={problems.find(({ name }) => name === 'terms')?.text}
      onChange={agree}
    />
  )
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-1 flex-col">
      <RegisterTitle onHand={() => setHanded(true)} />
      <LeaveGuard name={draftName} read={() => unsavedValues(state)} />
      <div
        inert={registration.busy || registration.open}
        className="mx-auto flex w-full max-w-[60rem] flex-1 flex-col gap-6 px-4 py-5 medium:px-6"
      >
        <ErrorSummary problems={problems} />
        <div
          className={
            'grid grid-cols-1 content-start gap-x-10 gap-y-8 ' +
            'expanded:grid-cols-2 expanded:grid-rows-[auto_1fr]'
          }
        >
          {handed ? null : contacts}
          <div className="expanded:row-span-2">
            <About state={state} config={config} />
          </div>
          {handed ? null : consents}
        </div>
      </div>
      <SubmitBar
        registration={registration}
        ready={config.data !== undefined}
        quiet={problems.length > 0}
      />
      {handed ? (
        <HandOver
          title={t({ id: 'reg.title', message: 'New member' })}
          onBack={() => setHanded(false)}
        >
          {contacts}
          {consents}
        </HandOver>
      ) : null}
    </form>
  )
}

/** The number and the address as they are typed, for the customer to compare. */
function typedContacts({ contacts, values }: RegisterFormState): string[] {
  return contacts.flatMap(({ field: { name } }) => {
    const phone = values.phone[name]
    const written = phone?.number ? `+${phone.callingCode} ${phone.number}` : values.text[name]
    return written === undefined || written === '' ? [] : [written]
  })
}

/**
 * Focuses the number, or the name if the search has already filled in the number. Not on wide touch
 * screens, where the keyboard would cover half the page.
 */
function useFirstField(ready: boolean, { fieldGroups }: RegisterFormState, given: boolean): void {
  const first = given ? fieldGroups.names[0] : fieldGroups.contact[0]
  const wanted = useRef(first)
  useEffect(() => {
    wanted.current = first
  })
  useEffect(() => {
    const isFree = document.activeElement === document.body
    const isEasy = matchMedia('(pointer: fine), (width < 37.5rem)').matches
    if (ready && isFree && isEasy && wanted.current) focusOn(wanted.current)
  }, [ready])
}

/**
 * The input of the form, or null if there is at most a number or an address, which are quickly
 * typed again.
 */
function unsavedValues({ memberForm, ordered }: RegisterFormState): unknown {
  const values = memberForm.form.getValues()
  const typed = ordered.filter((field) => !isEmpty(field, values))
  const isMore = typed.some(({ name }) => name !== 'mobile' && name !== 'email')
  if (!isMore && typed.length < 2) return null
  // The form has `undefined` for fields that were not touched, which would make the draft invalid.
  const empty = emptyValues(ordered, values.phone['mobile']?.callingCode ?? '')
  return typed.reduce((all, field) => withField(all, field, values), empty)
}

/**
 * Shows all missing or invalid input at its fields.
 * @returns the fields' names, in the order of the page
 */
function validate({ memberForm, ordered, contacts, values }: RegisterFormState): string[] {
  const wrong = new Set(memberForm.check())
  for (const { field, code, duplicate } of contacts) {
    if (isEmpty(field, values) || wrong.has(field.name)) continue
    const proof = code?.missing() ?? null
    if (duplicate !== null) {
      memberForm.setError(field, { type: field.type === 'email' ? 'existsEmail' : 'exists' })
      wrong.add(field.name)
    } else if (proof === 'sendFirst') {
      memberForm.setError(field, { type: proof })
      wrong.add(field.name)
    } else if (proof !== null) {
      code?.setCodeError({ type: proof })
      wrong.add(`${field.name}-code`)
    }
  }
  const places = ordered.flatMap(({ name }) => [name, `${name}-code`])
  return places.filter((name) => wrong.has(name))
}

/**
 * Shows a refusal at the fields that it concerns.
 * @returns the fields' names
 */
function showRefusal({ memberForm, contacts }: RegisterFormState, refusal: Refusal): string[] {
  const taken = refusalData(refusal, failures.contactTaken)?.field
  const unproven = refusalData(refusal, failures.captchaMissing)?.field
  const contact = contacts.find(({ field }) => field.name === (taken ?? unproven))
  if (contact !== undefined && taken !== undefined) {
    memberForm.setError(contact.field, { type: taken === 'email' ? 'existsEmail' : 'exists' })
    return [taken]
  }
  if (contact !== undefined && unproven !== undefined) {
    contact.code?.forget()
    memberForm.setError(contact.field, { type: 'sendFirst' })
    return [unproven]
  }
  const { fields } = refusalData(refusal, failures.invalid) ?? { fields: [] }
  return memberForm.refuse(fields.map(({ path, message }) => ({ name: path, message })))
}

/** All current errors, in the order of the page. */
function useAllProblems(state: RegisterFormState, untold: boolean): Problem[] {
  const { t } = useLingui()
  const errorText = useFieldErrorTexts()
  const atFields = useProblems(state.ordered, state.memberForm)
  const all = state.ordered.flatMap((field) => {
    const code = state.contacts.find((contact) => contact.field.name === field.name)?.code
    const text = code?.codeError ? errorText(field, code.codeError) : undefined
    const label = t({ id: 'reg.code', message: 'Verification code' })
    return [
      ...atFields.filter(({ name }) => name === field.name),
      ...(text === undefined ? [] : [{ name: `${field.name}-code`, label, text }]),
    ]
  })
  const text = errorText(
    { name: 'terms', maxLength: null, minSelections: null },
    { type: 'termsReq' },
  )
  if (!untold || text === undefined) return all
  return [...all, { name: 'terms', label: t({ id: 'reg.consent', message: 'Consent' }), text }]
}

/** The request; null if the input does not form one, which validation has excluded. */
function inputOf(
  { memberForm, ordered, contacts, rules }: RegisterFormState,
  config: RegisterConfig,
  agreed: Agreed,
) {
  const written = Object.entries(toWire(ordered, memberForm.form.getValues(), rules.readMobile))
  const proofOf = (name: string) => contacts.find((c) => c.field.name === name)?.code?.proof
  const proofs = { mobileVerification: proofOf('mobile'), emailVerification: proofOf('email') }
  const parsed = z.safeParse(createCustomer.input, {
    ...Object.fromEntries(written.filter(([, value]) => value !== null)),
    ...Object.fromEntries(Object.entries(proofs).filter(([, proof]) => Boolean(proof))),
    tncVersion: config.tnc.version,
    marketingOptIn: agreed.marketing,
    ...(agreed.language === null ? {} : { consentLanguage: agreed.language }),
  })
  return parsed.success ? parsed.data : null
}
