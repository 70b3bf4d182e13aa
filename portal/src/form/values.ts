import { defaultProfileFields, type RegisterField } from '@tillside/contract/company'
import type { CustomValue, Member } from '@tillside/contract/member'
import { type LookUp } from '../paths.ts'
import type { Mobile } from '../member/phones.ts'
import * as z from 'zod/mini'
import { dayTyped, isNoDay, noDay, partsOfDay } from './day.ts'

// A member's data as form values, and its conversion from and to the wire format.

export type Field = RegisterField
export const addressParts = ['country', 'province', 'city', 'district', 'detail'] as const
export type AddressPart = (typeof addressParts)[number]

/** Whether a clerk may change a member's field, as the server says or by default. */
export function isEditable({ name, editable }: Pick<Field, 'name' | 'editable'>): boolean {
  return editable ?? defaultProfileFields.editable.includes(name)
}

const texts = z.record(z.string(), z.string())
const PhoneTyped = z.object({ callingCode: z.string(), number: z.string() })
const AddressTyped = z.record(z.enum(addressParts), z.string())

/** One group for each type of value, so that every field's value is typed. */
export const FormValues = z.object({
  text: texts,
  phone: z.record(z.string(), PhoneTyped),
  day: z.record(z.string(), z.object({ year: z.string(), month: z.string(), day: z.string() })),
  many: z.record(z.string(), z.array(z.string())),
  tick: z.record(z.string(), z.boolean()),
  place: z.record(z.string(), AddressTyped),
})
export type FormValues = z.infer<typeof FormValues>
export type PhoneTyped = z.infer<typeof PhoneTyped>
export type AddressTyped = z.infer<typeof AddressTyped>

const valueGroups = {
  text: 'text',
  email: 'text',
  number: 'text',
  select: 'text',
  mobile: 'phone',
  date: 'day',
  multiSelect: 'many',
  boolean: 'tick',
  region: 'place',
} as const satisfies Record<Field['type'], keyof FormValues>

/** The path of a field's value in the form. */
export type FieldPath = `${keyof FormValues}.${string}`

/** The path of a field, for react-hook-form. */
export function pathOf(field: Pick<Field, 'name' | 'type'>): FieldPath {
  return `${valueGroups[field.type]}.${field.name}`
}

/** The id of the element that gets the focus if the field is invalid. */
export function idOf(field: Pick<Field, 'name'>): string {
  return `field-${field.name}`
}

export const noAddress: AddressTyped = {
  country: '',
  province: '',
  city: '',
  district: '',
  detail: '',
}

/** An empty form; the look-up of a failed search is filled in. */
export function emptyValues(
  fields: readonly Field[],
  callingCode: string,
  given: LookUp | null = null,
): FormValues {
  const values: FormValues = { text: {}, phone: {}, day: {}, many: {}, tick: {}, place: {} }
  for (const { name, type } of fields) {
    const group = valueGroups[type]
    if (group === 'text') values.text[name] = ''
    else if (group === 'phone') values.phone[name] = { callingCode, number: '' }
    else if (group === 'day') values.day[name] = noDay
    else if (group === 'many') values.many[name] = []
    else if (group === 'tick') values.tick[name] = false
    else values.place[name] = noAddress
  }
  if (given !== null && 'mobile' in given) {
    values.phone['mobile'] = { callingCode: given.countryCode, number: given.mobile }
  }
  if (given !== null && 'email' in given) values.text['email'] = given.email
  return values
}

/** The form with a member's present data. */
export function valuesOf(
  fields: readonly Field[],
  member: Member,
  callingCode: string,
): FormValues {
  const values = emptyValues(fields, callingCode)
  for (const { name, type } of fields) {
    const known = knownOf(member, name)
    const group = valueGroups[type]
    if (name === 'address') {
      values.place[name] = Object.assign({}, noAddress, withoutNull(member.address))
    } else if (name === 'mobile') {
      const { countryCode, mobile } = member
      values.phone[name] = { callingCode: countryCode ?? callingCode, number: mobile ?? '' }
    } else if (group === 'text') values.text[name] = known === null ? '' : String(known)
    else if (group === 'day') {
      values.day[name] = partsOfDay(typeof known === 'string' ? known : null)
    } else if (group === 'many') values.many[name] = Array.isArray(known) ? known : []
    else if (group === 'tick') values.tick[name] = known === true
  }
  return values
}

function knownOf(member: Member, name: string): CustomValue {
  if (name === 'firstName' || name === 'lastName') return member[name]
  if (name === 'gender' || name === 'birthday' || name === 'email') return member[name]
  return member.customFields?.[name] ?? null
}

function withoutNull(parts: Member['address']): Partial<AddressTyped> {
  return Object.fromEntries(
    addressParts.flatMap((part) => (parts?.[part] ? [[part, parts[part]]] : [])),
  )
}

export type ReadMobile = (typed: PhoneTyped) => Mobile | null

/** Whether the field was left empty. */
export function isEmpty(field: Field, values: FormValues): boolean {
  const { name, type } = field
  const group = valueGroups[type]
  if (group === 'text') return (values.text[name] ?? '').trim() === ''
  if (group === 'phone') return (values.phone[name]?.number ?? '').trim() === ''
  if (group === 'day') return isNoDay(values.day[name] ?? noDay)
  if (group === 'many') return (values.many[name] ?? []).length === 0
  if (group === 'tick') return values.tick[name] !== true
  return Object.values(values.place[name] ?? noAddress).every((part) => part.trim() === '')
}

/** A field's value in the wire format. */
type Written = CustomValue | Record<string, string | null>

/** All fields in the wire format, by wire name; null if empty, but false for an unticked box. */
export function toWire(
  fields: readonly Field[],
  values: FormValues,
  readMobile: ReadMobile,
): Record<string, Written> {
  const written: Record<string, Written> = {}
  for (const field of fields) {
    const { name } = field
    if (name === 'mobile') {
      const mobile = readMobile(values.phone[name] ?? { callingCode: '', number: '' })
      written['countryCode'] = mobile?.countryCode ?? null
      written['mobile'] = mobile?.mobile ?? null
    } else if (field.type === 'boolean') written[name] = values.tick[name] ?? false
    else written[name] = isEmpty(field, values) ? null : wireField(field, values)
  }
  return written
}

function wireField(field: Field, values: FormValues): Written {
  const { name, type } = field
  const text = (values.text[name] ?? '').trim()
  if (type === 'number') return Number(text.normalize('NFKC'))
  if (type === 'date') return dayTyped(values.day[name] ?? noDay)
  if (type === 'multiSelect') return values.many[name] ?? []
  if (type !== 'region') return text
  const place = values.place[name] ?? noAddress
  return Object.fromEntries(addressParts.map((part) => [part, place[part].trim() || null]))
}

/** The wire names whose values differ. */
export function changedNames(
  before: Record<string, Written>,
  after: Record<string, Written>,
): string[] {
  return Object.keys(after).filter(
    (name) => JSON.stringify(before[name] ?? null) !== JSON.stringify(after[name] ?? null),
  )
}

/** A copy of the values, with one field's value from `from`. */
export function withField(values: FormValues, field: Field, from: FormValues): FormValues {
  const group = valueGroups[field.type]
  const { name } = field
  return { ...values, [group]: { ...values[group], [name]: from[group][name] } }
}
