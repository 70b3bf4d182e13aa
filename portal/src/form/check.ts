import { birthdayProblem } from '@tillside/contract/rules/day'
import { Email, name as nameShape, text as textShape } from '@tillside/contract/wire/shapes'
import * as z from 'zod/mini'
import { dayTyped, noDay } from './day.ts'
import { addressParts, type Field, type FormValues, isEmpty, type ReadMobile } from './values.ts'

/** An error of a field; the texts are in `useFieldErrorTexts`. */
export type FieldErrorCode =
  | 'required'
  | 'mobileBad'
  | 'emailBad'
  | 'positiveInt'
  | 'tooLong'
  | 'format'
  | 'characters'
  | 'dayBad'
  | 'dayFuture'
  | 'tooYoung'
  | 'minSelect'
  | 'exists'
  | 'existsEmail'
  | 'sendFirst'
  | 'codeReq'
  | 'codeBad'
  | 'sendFailed'
  | 'checkFailed'
  | 'termsReq'

export type Rules = {
  /** The company's calendar day. */
  today: string
  /** The minimum age of a member; null: any age. */
  minAge: number | null
  readMobile: ReadMobile
}

const longestName = 60
const longestText = 2000
const longest = { detail: 300, part: 120 }

/**
 * The maximum length of the field's text: the limit of the wire format, or the company's if it is
 * lower.
 */
export function maxLengthOf({ name, maxLength }: Pick<Field, 'name' | 'maxLength'>): number {
  const bound = isName({ name }) ? longestName : longestText
  return Math.min(maxLength ?? bound, bound)
}

const isName = ({ name }: Pick<Field, 'name'>) => name === 'firstName' || name === 'lastName'

/** The minimum number of selections, once anything is selected. */
export function minSelectionsOf({ minSelections }: Pick<Field, 'minSelections'>): number {
  return minSelections ?? 1
}

/** The first error that the portal can find itself; the server decides in any case. */
export function fieldErrorOf(
  field: Field,
  values: FormValues,
  rules: Rules,
): FieldErrorCode | null {
  if (isEmpty(field, values)) {
    if (!field.required) return null
    return field.type === 'multiSelect' ? 'minSelect' : 'required'
  }
  const { name, type } = field
  const typed = (values.text[name] ?? '').normalize('NFC').trim()
  switch (type) {
    case 'mobile': {
      const phone = values.phone[name]
      return phone && rules.readMobile(phone) ? null : 'mobileBad'
    }
    case 'email':
      return z.safeParse(Email, typed).success ? null : 'emailBad'
    case 'number':
      return /^0*[1-9]\d{0,11}$/.test(typed.normalize('NFKC')) ? null : 'positiveInt'
    case 'date':
      return dayError(field, values, rules)
    case 'region':
      return addressError(field, values)
    case 'text':
      return textError(field, typed)
    case 'multiSelect':
      return (values.many[name] ?? []).length < minSelectionsOf(field) ? 'minSelect' : null
    case 'select':
    case 'boolean':
      return null
  }
}

function textError(field: Field, typed: string): FieldErrorCode | null {
  const most = maxLengthOf(field)
  if (lengthOf(typed) > most) return 'tooLong'
  const shape = isName(field) ? nameShape : textShape
  if (!z.safeParse(shape(most * 2), typed).success) return 'characters'
  return fits(field.pattern, typed) ? null : 'format'
}

/** Counts characters as a person does: a rare Chinese character is two UTF-16 units. */
const lengthOf = (typed: string): number => Array.from(typed).length

/** Whether the whole text matches the company's pattern. */
function fits(pattern: string | null, typed: string): boolean {
  if (pattern === null) return true
  try {
    return new RegExp(`^(?:${pattern})$`, 'u').test(typed)
  } catch {
    // If this browser does not support the pattern, the server checks it.
    return true
  }
}

function dayError(field: Field, values: FormValues, rules: Rules): FieldErrorCode | null {
  const day = dayTyped(values.day[field.name] ?? noDay)
  if (day === null) return 'dayBad'
  if (field.name !== 'birthday') return null
  const problem = birthdayProblem(day, rules.today, rules.minAge)
  return problem && birthdayTroubles[problem]
}

const birthdayTroubles = {
  future: 'dayFuture',
  notAllowed: 'dayBad',
  tooYoung: 'tooYoung',
} as const

function addressError(field: Field, values: FormValues): FieldErrorCode | null {
  const place = values.place[field.name]
  for (const part of addressParts) {
    const typed = (place?.[part] ?? '').normalize('NFC').trim()
    if (typed === '') continue
    const most = part === 'detail' ? longest.detail : longest.part
    if (typed.length > most) return 'tooLong'
    if (!z.safeParse(textShape(most), typed).success) return 'characters'
  }
  return null
}
