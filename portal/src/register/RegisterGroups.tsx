import { useLingui } from '@lingui/react/macro'
import type { RegisterConfig } from '@tillside/contract/company'
import type { ReactNode } from 'react'
import { FieldInput } from '../form/FieldInput.tsx'
import { LoadFailed } from '../kit/page/LoadFailed.tsx'
import { Waiting } from '../kit/page/Waiting.tsx'
import { FormSkeleton, Skeleton } from '../ui/page/Skeleton.tsx'
import { type Agreed, Consent } from '../consent/Consent.tsx'
import { ContactField } from './ContactField.tsx'
import type { RegisterFormState } from './useRegisterForm.ts'

/** The company's form, and the state of loading it. */
export type ConfigState = {
  data: RegisterConfig | undefined
  /** Why the form could not be loaded, or null. */
  error: Error | null
  again: () => void
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex min-w-0 flex-col gap-4">
      <h2 className="text-strong">{title}</h2>
      {children}
    </section>
  )
}

type ContactsProps = { state: RegisterFormState; handed: boolean }

/** The customer's mobile number and e-mail address. */
export function Contacts({ state, handed }: ContactsProps) {
  const { t } = useLingui()
  return (
    <Group title={t({ id: 'reg.contact', message: 'Contact' })}>
      {state.contacts.map((contact) => (
        <ContactField
          key={contact.field.name}
          {...contact}
          memberForm={state.memberForm}
          handed={handed}
        />
      ))}
    </Group>
  )
}

type AboutProps = { state: RegisterFormState; config: ConfigState }

/** The customer's personal data, and the company's own fields. */
export function About({ state: { fieldGroups, memberForm }, config }: AboutProps) {
  const { t } = useLingui()
  const { names, gender, birthday, address, own } = fieldGroups
  const pending = config.data === undefined && config.error === null
  return (
    <Group title={t({ id: 'reg.about', message: 'About' })}>
      {pending ? (
        <Waiting skeleton={<FormSkeleton />} onAgain={config.again} />
      ) : (
        <>
          <div className="grid grid-cols-1 gap-4 medium:grid-cols-2">
            {names.map((field) => (
              <FieldInput key={field.name} field={field} memberForm={memberForm} />
            ))}
          </div>
          {[gender, birthday, address, ...own].map((field) =>
            field === null ? null : (
              <FieldInput key={field.name} field={field} memberForm={memberForm} />
            ),
          )}
        </>
      )}
    </Group>
  )
}

type ConsentsProps = {
  config: ConfigState
  agreed: Agreed
  error: string | undefined
  onChange: (agreed: Agreed) => void
}

/**
 * Without the terms there is no box, because customers cannot agree to a text that they cannot
 * read.
 */
export function Consents({ config, agreed, error, onChange }: ConsentsProps) {
  const { t } = useLingui()
  return (
    <Group title={t({ id: 'reg.consent', message: 'Consent' })}>
      {config.data ? (
        <Consent terms={config.data.tnc} agreed={agreed} error={error} onChange={onChange} />
      ) : config.error !== null ? (
        <LoadFailed error={config.error} onAgain={config.again}>
          {t({
            id: 'reg.noConfig',
            message: "The company's form and terms could not be loaded.",
          })}
        </LoadFailed>
      ) : (
        <Skeleton height="6rem" />
      )}
    </Group>
  )
}
