import { useLingui } from '@lingui/react/macro'
import type { Member } from '@tillside/contract/member'
import { useDates } from '../company/calendar.ts'
import { dayTyped, noDay } from '../form/day.ts'
import type { Field, FormValues } from '../form/values.ts'
import { maskedEmail } from '@tillside/contract/rules/person'
import { maskedNumber } from '../kit/text/name.ts'

/** A field's value as text for people; contacts stay masked. */
export function useFieldText(now: Member): (field: Field, values: FormValues) => string {
  const { t } = useLingui()
  const dates = useDates()
  const none = t({ id: 'prof.empty', message: 'Empty' })
  return (field, values) => {
    const { name, type, options } = field
    const nameOf = (code: string) => options.find((one) => one.code === code)?.name ?? code
    const text = values.text[name] ?? ''
    const written = ((): string => {
      switch (type) {
        case 'text':
        case 'number':
          return text
        case 'email':
          return text === '' ? '' : maskedEmail(text)
        case 'select':
          return text === '' ? '' : nameOf(text)
        case 'multiSelect':
          return (values.many[name] ?? []).map(nameOf).join(', ')
        case 'boolean':
          return values.tick[name] === true ? '✓' : ''
        case 'date': {
          const day = dayTyped(values.day[name] ?? noDay)
          return day === null ? '' : dates(day)
        }
        case 'mobile': {
          const { callingCode = '', number = '' } = values.phone[name] ?? {}
          return number === '' ? '' : maskedNumber(callingCode, number)
        }
        case 'region':
          // The names of the regions are known only for the saved address.
          return values.place[name]?.detail || (now.addressLine ?? '')
      }
    })()
    return written === '' ? none : written
  }
}
