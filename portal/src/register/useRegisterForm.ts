import { useLingui } from '@lingui/react/macro'
import type { RegisterConfig } from '@tillside/contract/company'
import * as z from 'zod/mini'
import { useEffect, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { groupFields, orderedFields } from '../form/groupFields.ts'
import { type Rules, fieldErrorOf } from '../form/check.ts'
import { useMemberForm, useRules } from '../form/useMemberForm.ts'
import { emptyValues, type Field, FormValues, isEmpty } from '../form/values.ts'
import { takeDraft } from '../kit/store/draft.ts'
import { useLanguage } from '../kit/text/language.ts'
import { useCallingCode } from '../member/phones.ts'
import type { LookUp } from '../paths.ts'
import type { ContactState } from './ContactField.tsx'
import { useDuplicate } from './useDuplicate.ts'
import { type Contact, useCode } from './useCode.ts'

export const draftName = 'register'

/** The registration form: its fields by group, and the state of its contacts. */
export function useRegisterForm(config: RegisterConfig | undefined, given: LookUp | null) {
  const language = useLanguage()
  const core = useCoreFields()
  const country = useCallingCode()
  const rules = useRules()
  const fields = config?.fields ?? core
  const fieldGroups = groupFields(fields, language)
  const ordered = orderedFields(fieldGroups)
  const [initial] = useState(() => {
    const draft = z.safeParse(FormValues, takeDraft(draftName))
    return draft.success ? draft.data : emptyValues(fields, country.callingCode, given)
  })
  const memberForm = useMemberForm(ordered, initial, rules)
  useCountry(country, memberForm)
  const values = useWatch({ control: memberForm.form.control, compute: (all: FormValues) => all })
  const contactOf = (field: Field) => contactIn(field, values, rules)
  const mobileField = fieldGroups.contact.find(({ name }) => name === 'mobile')
  const emailField = fieldGroups.contact.find(({ name }) => name === 'email')
  const mobile = useContact(mobileField, mobileField ? contactOf(mobileField) : null, memberForm)
  const email = useContact(emailField, emailField ? contactOf(emailField) : null, memberForm)
  const { verification } = config ?? { verification: { mobile: false, email: false } }
  const contacts: ContactState[] = [
    ...(mobile === null ? [] : [{ ...mobile, code: verification.mobile ? mobile.code : null }]),
    ...(email === null ? [] : [{ ...email, code: verification.email ? email.code : null }]),
  ]
  return { memberForm, fieldGroups, ordered, contacts, values, rules }
}

export type RegisterFormState = ReturnType<typeof useRegisterForm>

type MemberFormState = ReturnType<typeof useMemberForm>

/** The form may open before the company's countries are loaded. */
function useCountry(
  { callingCode, callingCodes }: ReturnType<typeof useCallingCode>,
  memberForm: MemberFormState,
) {
  const { form } = memberForm
  const offered = callingCodes.join()
  useEffect(() => {
    const { mobile } = form.getValues('phone')
    if (mobile === undefined || offered === '') return
    const isForeign = !offered.split(',').includes(mobile.callingCode)
    if (mobile.number === '' || isForeign) form.setValue('phone.mobile', { ...mobile, callingCode })
  }, [form, callingCode, offered])
}

function useContact(
  field: Field | undefined,
  contact: Contact | null,
  memberForm: MemberFormState,
): (ContactState & { code: NonNullable<ContactState['code']> }) | null {
  const code = useCode(contact, (fieldError) => {
    if (field) memberForm.setError(field, fieldError)
  })
  const duplicate = useDuplicate(contact)
  return field === undefined ? null : { field, code, whole: contact !== null, duplicate }
}

/** The contact that a field contains, or null until it is complete. */
function contactIn(field: Field, values: FormValues, rules: Rules): Contact | null {
  if (isEmpty(field, values) || fieldErrorOf(field, values, rules) !== null) return null
  if (field.type === 'email') {
    return { kind: 'email', email: (values.text[field.name] ?? '').normalize('NFC').trim() }
  }
  const typed = values.phone[field.name]
  const mobile = typed ? rules.readMobile(typed) : null
  return mobile === null ? null : { kind: 'mobile', mobile }
}

/** The fields that every company has; used until the company's form is loaded. */
function useCoreFields(): Field[] {
  const { t } = useLingui()
  return [
    coreField('mobile', 'mobile', t({ id: 'search.mobile', message: 'Mobile' })),
    coreField('email', 'email', t({ id: 'search.email', message: 'Email' })),
    coreField('lastName', 'text', t({ id: 'reg.lastName', message: 'Last name' })),
    coreField('firstName', 'text', t({ id: 'reg.firstName', message: 'First name' })),
    coreField('gender', 'select', t({ id: 'reg.gender', message: 'Gender' }), [
      { code: 'F', name: t({ id: 'reg.female', message: 'Female' }) },
      { code: 'M', name: t({ id: 'reg.male', message: 'Male' }) },
    ]),
    coreField('birthday', 'date', t({ id: 'reg.birthday', message: 'Birthday' })),
  ]
}

function coreField(
  name: string,
  type: Field['type'],
  label: string,
  options: Field['options'] = [],
): Field {
  return {
    name,
    type,
    label,
    options,
    required: name === 'mobile',
    editable: true,
    order: 0,
    maxLength: null,
    minSelections: null,
    pattern: null,
  }
}
