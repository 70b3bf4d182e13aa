import { type UseFormReturn, useForm } from 'react-hook-form'
import { useToday } from '../company/calendar.ts'
import { useConfig } from '../company/config.ts'
import { readerOf, usePhones } from '../member/phones.ts'
import { type Rules, fieldErrorOf } from './check.ts'
import { type FormError, server } from './useFieldErrorTexts.ts'
import { type Field, type FormValues, idOf, isEmpty, pathOf, type ReadMobile } from './values.ts'

export type MemberForm = {
  form: UseFormReturn<FormValues>
  rules: Rules
  /** Validates the field when the focus leaves it, unless it is empty. */
  leave: (field: Field) => void
  setError: (field: Pick<Field, 'name' | 'type'>, fieldError: FormError) => void
  /**
   * Shows the server's messages at their fields.
   * @returns the names of these fields
   */
  refuse: (refused: readonly Refused[]) => string[]
  /**
   * Validates every field.
   * @returns the names of the invalid ones
   */
  check: () => string[]
}

/** A field that the server refused, by its wire name. */
export type Refused = { name: string; message: string }

/** The form for a member's data: its values and errors. */
export function useMemberForm(
  fields: readonly Field[],
  initial: FormValues,
  rules: Rules,
): MemberForm {
  const form = useForm<FormValues>({ defaultValues: initial, shouldFocusError: false })

  const setError: MemberForm['setError'] = (field, fieldError) => {
    const { type, message } = fieldError
    form.setError(pathOf(field), message === undefined ? { type } : { type, message })
  }
  return {
    form,
    rules,
    setError,
    leave(field) {
      const values = form.getValues()
      const code = isEmpty(field, values) ? null : fieldErrorOf(field, values, rules)
      if (code !== null) setError(field, { type: code })
    },
    refuse(refused) {
      const at = fields.flatMap((field) => {
        const found = refused.find(({ name }) => fieldNameOf(name) === field.name)
        return found === undefined ? [] : [{ field, message: found.message }]
      })
      for (const { field, message } of at) {
        setError(field, { type: server, message })
      }
      return at.map(({ field }) => field.name)
    },
    check() {
      form.clearErrors()
      const values = form.getValues()
      const wrong = fields.flatMap((field) => {
        const code = fieldErrorOf(field, values, rules)
        return code === null ? [] : [{ field, code }]
      })
      for (const { field, code } of wrong) setError(field, { type: code })
      return wrong.map(({ field }) => field.name)
    },
  }
}

/** `changes.address.city` belongs to the address, `countryCode` to the mobile number. */
function fieldNameOf(path: string): string {
  const [first = '', second = ''] = path.split('.')
  const name = first === 'changes' ? second : first
  return name === 'countryCode' ? 'mobile' : name
}

/** Scrolls to a field and focuses it, after its error has been rendered. */
export function focusOn(field: Pick<Field, 'name'>): void {
  requestAnimationFrame(() => document.getElementById(idOf(field))?.focus())
}

/**
 * The rules for a member's data: the company's day, its minimum age, and the phone number library.
 */
export function useRules(): Rules {
  const readMobile = useReadMobile()
  return { today: useToday(), minAge: useConfig()?.birthdayMinAge ?? null, readMobile }
}

/** Reads numbers with the phone number library, or by their length until it is loaded. */
function useReadMobile(): ReadMobile {
  const phones = usePhones()
  return ({ callingCode, number }) => readerOf(phones, callingCode)(number.normalize('NFKC'))
}
