import { type UseFormReturn, useForm } from 'react-hook-form'
import { useToday } from '../company/calendar.ts'
import { useConfig } from '../company/config.ts'
import { readerOf, usePhones } from '../member/phones.ts'
import { type Rules, troubleOf } from './check.ts'
import { type Complaint, server } from './useTroubles.ts'
import { type Field, type FormValues, idOf, isEmpty, pathOf, type ReadMobile } from './values.ts'

export type MemberForm = {
  form: UseFormReturn<FormValues>
  rules: Rules
  /** On leaving a field: what was typed is looked at, what was not typed yet is let be. */
  leave: (field: Field) => void
  complain: (field: Pick<Field, 'name' | 'type'>, complaint: Complaint) => void
  /** Puts the server's words at the fields that they name. @returns those fields' names */
  refuse: (refused: readonly Refused[]) => string[]
  /** Looks at every field. @returns the names of those that are wrong */
  check: () => string[]
}

/** A field that the server did not take, by its name on the wire. */
export type Refused = { name: string; message: string }

/** A member's data being typed: its values, and what is wrong with them. */
export function useMemberForm(
  fields: readonly Field[],
  initial: FormValues,
  rules: Rules,
): MemberForm {
  const form = useForm<FormValues>({ defaultValues: initial, shouldFocusError: false })

  const complain: MemberForm['complain'] = (field, complaint) => {
    const { type, message } = complaint
    form.setError(pathOf(field), message === undefined ? { type } : { type, message })
  }
  return {
    form,
    rules,
    complain,
    leave(field) {
      const values = form.getValues()
      const trouble = isEmpty(field, values) ? null : troubleOf(field, values, rules)
      if (trouble !== null) complain(field, { type: trouble })
    },
    refuse(refused) {
      const at = fields.flatMap((field) => {
        const found = refused.find(({ name }) => fieldNameOf(name) === field.name)
        return found === undefined ? [] : [{ field, message: found.message }]
      })
      for (const { field, message } of at) {
        complain(field, { type: server, message })
      }
      return at.map(({ field }) => field.name)
    },
    check() {
      form.clearErrors()
      const values = form.getValues()
      const wrong = fields.flatMap((field) => {
        const trouble = troubleOf(field, values, rules)
        return trouble === null ? [] : [{ field, trouble }]
      })
      for (const { field, trouble } of wrong) complain(field, { type: trouble })
      return wrong.map(({ field }) => field.name)
    },
  }
}

/** `changes.address.city` is said of the address, `countryCode` of the mobile number. */
function fieldNameOf(path: string): string {
  const [first = '', second = ''] = path.split('.')
  const name = first === 'changes' ? second : first
  return name === 'countryCode' ? 'mobile' : name
}

/** Brings a field into sight and gives it the focus, once it shows what is wrong. */
export function focusOn(field: Pick<Field, 'name'>): void {
  requestAnimationFrame(() => document.getElementById(idOf(field))?.focus())
}

/** What a member's data is judged by: the company's day and rule, and the world's numbers. */
export function useRules(): Rules {
  const readMobile = useReadMobile()
  return { today: useToday(), minAge: useConfig()?.birthdayMinAge ?? null, readMobile }
}

/** Reads numbers by their country's rules, or by their length until those have arrived. */
function useReadMobile(): ReadMobile {
  const phones = usePhones()
  return ({ callingCode, number }) => readerOf(phones, callingCode, [])(number.normalize('NFKC'))
}
