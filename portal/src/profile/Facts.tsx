import { useLingui } from '@lingui/react/macro'
import { defaultProfileFields } from '@tillside/contract/company'
import type { Member } from '@tillside/contract/member'
import type { ReactNode } from 'react'
import { useDates } from '../company/calendar.ts'
import { useConfig } from '../company/config.ts'
import { type Field, isEditable, valuesOf } from '../form/values.ts'
import { formatCode, isZeroDate } from '../kit/text/format.ts'
import { Button } from '../ui/page/Button.tsx'
import { Contact } from './Contact.tsx'
import { useFieldText } from './useFieldText.ts'

type FactsProps = {
  member: Member
  /** All fields of the company's form. */
  fields: readonly Field[]
  /** The fields that are being edited above. */
  editing: readonly Field[]
  /** Starts to edit a contact. */
  onChange: (field: Field) => void
}

/** The member's data that is not being edited. */
export function Facts({ member, fields, editing, onChange }: FactsProps) {
  const { t } = useLingui()
  const dates = useDates()
  const write = useFieldText(member)
  const { shown } = useConfig()?.profileFields ?? defaultProfileFields
  const values = valuesOf(fields, member, '')
  const readOnly = fields.filter((field) => {
    const isContact = field.name === 'mobile' || field.name === 'email'
    // A contact that may be changed is shown too: its button is here.
    const isShown = shown.includes(field.name) || (isContact && isEditable(field))
    return isShown && !editing.includes(field) && field.type !== 'region'
  })
  const { registrationStore: store } = member
  return (
    <dl className="flex flex-col">
      {readOnly.map((field) => (
        <Fact
          key={field.name}
          label={field.label}
          action={
            isEditable(field) ? (
              <Button kind="text" size="small" className="-me-3" onClick={() => onChange(field)}>
                {t({ id: 'prof.change', message: 'Change' })}
              </Button>
            ) : null
          }
        >
          {field.name === 'mobile' || field.name === 'email' ? (
            <Contact member={member} field={field.name} />
          ) : (
            write(field, values)
          )}
        </Fact>
      ))}
      <Fact label={t({ id: 'search.code', message: 'Member code' })}>{member.memberCode}</Fact>
      <Fact label={t({ id: 'search.card', message: 'Card no.' })}>
        {formatCode(member.cardNumber)}
      </Fact>
      <Fact label={t({ id: 'prof.regDate', message: 'Registration date' })}>
        <span className={isZeroDate(member.registrationDate) ? 'text-ink3' : ''}>
          {dates(member.registrationDate)}
        </span>
        {store === null ? null : <span className="ms-2 text-ink2">{store.name}</span>}
      </Fact>
      {member.addressLine === null ? null : (
        <Fact label={t({ id: 'reg.detail', message: 'Address' })}>{member.addressLine}</Fact>
      )}
    </dl>
  )
}

type FactProps = { label: string; action?: ReactNode; children: ReactNode }

function Fact({ label, action, children }: FactProps) {
  return (
    <div
      className={
        'flex min-h-12 flex-wrap items-start gap-x-6 border-b border-line py-0.5 last:border-0'
      }
    >
      {/* As tall as a button, so that the label is beside the first line of the value. */}
      <dt className="flex min-h-11 w-28 shrink-0 items-center text-small text-ink2 medium:w-36">
        {label}
      </dt>
      <dd className="num flex min-h-11 min-w-0 flex-[1_1_9rem] flex-wrap items-center break-words">
        <span className="min-w-0">{children}</span>
        {action ? <span className="ms-auto">{action}</span> : null}
      </dd>
    </div>
  )
}
