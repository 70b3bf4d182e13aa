import { useLingui } from '@lingui/react/macro'
import CheckCircleIcon from 'virtual:icons/check-circle-fill'
import { Link } from '@tanstack/react-router'
import type { Member } from '@tillside/contract/member'
import { useEffect, useRef } from 'react'
import { useFormState } from 'react-hook-form'
import { TextInput } from '../form/FieldInput.tsx'
import { MobileInput } from '../form/MobileInput.tsx'
import type { MemberForm } from '../form/useMemberForm.ts'
import { type Field, idOf, pathOf } from '../form/values.ts'
import { useFieldErrorTexts } from '../form/useFieldErrorTexts.ts'
import { maskedName } from '@tillside/contract/rules/person'
import { useOnline } from '../kit/device/online.ts'
import { paths } from '../paths.ts'
import { Button } from '../ui/page/Button.tsx'
import { buttonClass } from '../ui/page/buttonClass.ts'
import { Notice } from '../ui/page/Notice.tsx'
import { TextField } from '../ui/field/TextField.tsx'
import type { CodeOf } from './useCode.ts'

export type ContactState = {
  field: Field
  /** Null if the company does not ask for verification. */
  code: CodeOf | null
  /** The input is a complete number or address. */
  whole: boolean
  duplicate: Member | null
}

type ContactFieldProps = ContactState & {
  memberForm: MemberForm
  /** The customer is typing: they must not see the data of another member. */
  handed: boolean
}

/**
 * A number or an address, with a warning if a member has it already, and with its verification
 * code.
 */
export function ContactField(props: ContactFieldProps) {
  const { field, memberForm, code, whole, duplicate, handed } = props
  const { errors } = useFormState({ control: memberForm.form.control })
  const said = (errors.phone?.[field.name] ?? errors.text?.[field.name]) !== undefined
  const trailing =
    code === null ? undefined : (
      <SendButton code={code} {...{ field, memberForm, whole, duplicate }} />
    )
  return (
    <div className="flex flex-col">
      {field.type === 'mobile' ? (
        <MobileInput field={field} memberForm={memberForm} trailing={trailing} />
      ) : (
        <TextInput field={field} memberForm={memberForm} trailing={trailing} />
      )}
      <output className="block">
        {duplicate === null ? null : (
          <div className="pt-3">
            <Duplicate
              member={duplicate}
              isEmail={field.type === 'email'}
              handed={handed}
              said={said}
            />
          </div>
        )}
      </output>
      {code === null || code.step === 'none' || code.step === 'sending' ? null : (
        <div className="pt-3">
          <CodeField field={field} code={code} />
        </div>
      )}
    </div>
  )
}

type SendButtonProps = Omit<ContactState, 'code'> & { memberForm: MemberForm; code: CodeOf }

/** Sends a code; not to the contact of a member, whom the notice below the field leads to. */
function SendButton({ field, memberForm, code, whole, duplicate }: SendButtonProps) {
  const { t } = useLingui()
  const online = useOnline()
  const n = code.wait
  if (code.step === 'verified') {
    return (
      <span className="flex min-h-11 items-center gap-1.5 px-3.5 text-small text-success">
        <CheckCircleIcon size={20} aria-hidden="true" />
        {t({ id: 'reg.verified', message: 'Verified' })}
      </span>
    )
  }
  const press = async () => {
    // An incomplete number is reported at its own field.
    if (!whole)
      return memberForm.setError(field, { type: field.type === 'email' ? 'emailBad' : 'mobileBad' })
    // The earlier error asked for this and is now resolved.
    memberForm.form.clearErrors(pathOf(field))
    await code.send()
  }
  return (
    <Button
      kind="text"
      size="small"
      className="num me-1"
      busy={code.step === 'sending'}
      disabled={!online || n > 0 || duplicate !== null}
      onClick={() => void press()}
    >
      {n > 0
        ? t({ id: 'reg.resend', message: `Resend in ${n}s` })
        : t({ id: 'reg.send', message: 'Send code' })}
    </Button>
  )
}

function CodeField({ field, code }: { field: Field; code: CodeOf }) {
  const { t } = useLingui()
  const errorText = useFieldErrorTexts()
  const verified = code.step === 'verified'
  const error = code.codeError === null ? undefined : errorText(field, code.codeError)
  const input = useRef<HTMLInputElement>(null)
  const awaited = useRef(code.step === 'sent' && code.code === '')
  // The field appears because a code was sent, so it gets the focus.
  useEffect(() => {
    if (awaited.current) input.current?.focus()
  }, [])
  // Select a wrong code, so that typing replaces it.
  useEffect(() => {
    if (error !== undefined && document.activeElement === input.current) input.current?.select()
  }, [error])
  return (
    <TextField
      ref={input}
      id={`${idOf(field)}-code`}
      big
      // Wide spacing makes the code easier to compare.
      className="[&_input]:tracking-[0.2em]"
      label={t({ id: 'reg.code', message: 'Verification code' })}
      inputMode="numeric"
      autoComplete="one-time-code"
      readOnly={verified || code.step === 'checking'}
      aria-busy={code.step === 'checking'}
      value={code.code}
      hint={verified ? undefined : <SentHint isEmail={field.type === 'email'} />}
      error={error}
      trailing={
        code.codeError?.type === 'checkFailed' ? (
          <Button kind="text" size="small" className="me-1" onClick={code.again}>
            {t({ id: 'common.retry', message: 'Try again' })}
          </Button>
        ) : undefined
      }
      onChange={(event) => code.type(event.target.value)}
    />
  )
}

function SentHint({ isEmail }: { isEmail: boolean }) {
  const { t } = useLingui()
  return isEmail
    ? t({ id: 'reg.sentEmail', message: 'Code sent by email.' })
    : t({
        id: 'reg.sentSms',
        message: 'Code sent by SMS. Ask the customer to read it to you.',
      })
}

/** Marks a masked Latin name: in a Chinese font its bullets would be a whole character wide. */
const han = /\p{Script=Han}/u

type DuplicateProps = {
  member: Member
  isEmail: boolean
  handed: boolean
  /** The field above already shows the error. */
  said: boolean
}

function Duplicate({ member, isEmail, handed, said }: DuplicateProps) {
  const { t } = useLingui()
  if (handed && said) return null
  const name = maskedName(member)
  return (
    <Notice
      tone="warning"
      quiet
      action={
        handed ? undefined : (
          <Link
            {...paths.memberHome({ code: member.memberCode })}
            className={buttonClass('outlined', 'small')}
          >
            {t({ id: 'reg.openThis', message: 'Open this member' })}
          </Link>
        )
      }
    >
      {said ? null : (
        <p>
          {isEmail
            ? t({ id: 'reg.existsEmail', message: 'This email already belongs to a member.' })
            : t({ id: 'reg.exists', message: 'This number already belongs to a member.' })}
        </p>
      )}
      {handed ? null : (
        <p className={said ? '' : 'text-small text-ink2'}>
          <span lang={han.test(name) ? undefined : 'en'}>{name}</span>
          {member.tier === null ? null : ` · ${member.tier.name}`}
        </p>
      )}
    </Notice>
  )
}
