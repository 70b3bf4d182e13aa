import { hash as digest } from 'node:crypto'
import type { Language } from '@tillside/contract/wire/language'
import type { CustomValue } from '@tillside/contract/member'
import { Email } from '@tillside/contract/wire/shapes'
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import type { Settings } from '../company/definition.ts'
import { NewMember } from '../member/create.ts'
import { Address, invalidPart } from '../member/address.ts'
import { checkValue, type FormField } from '../member/field.ts'
import { firstProblem } from '../text/invalid.ts'
import type { MemberMapping, RowReader } from './import-mapping.ts'

type Cells = readonly string[]

/** The inputs for reading rows. */
export type RowRules = {
  mapping: MemberMapping
  reader: RowReader
  fields: ReadonlyMap<string, FormField>
  stores: ReadonlySet<string>
  language: Language
  /** The company's day. */
  today: string
}

/** A member built from a row, or the reason why the row is invalid. */
export type BuiltRow = { member: NewMember; hash: Buffer } | { reason: string }

/** An invalid row; the message is for the operator. */
class RowProblem extends Error {}

/** @throws Error when the mapping names a field that the company does not have */
export function fieldsOf(
  mapping: MemberMapping,
  settings: Settings,
): ReadonlyMap<string, FormField> {
  const all = new Map(settings.register.fields.map((field) => [field.name, field]))
  const wanted = Object.keys(mapping.customFields)
  const missing = wanted.filter((name) => !all.has(name))
  if (missing.length > 0) throw new Error(`the company has no field ${missing.join(', ')}`)
  return new Map([...all].filter(([name]) => wanted.includes(name)))
}

/**
 * Builds a member from a row. It follows the rules of registration, except those that cannot hold
 * for past data.
 */
export async function buildMember(cells: Cells, rules: RowRules): Promise<BuiltRow> {
  try {
    const row = read(cells, rules)
    const parsed = NewMember.safeParse(row)
    if (!parsed.success) {
      return { reason: firstProblem(parsed.error.issues, row) }
    }
    const wrong = await invalidPart(Address.parse(parsed.data.address))
    if (wrong !== null) {
      const value = parsed.data.address[wrong.path] ?? ''
      return { reason: `${wrong.path}: "${value}" is refused: ${wrong.reason}` }
    }
    const hash = digest('sha256', JSON.stringify(parsed.data), 'buffer')
    return { member: parsed.data, hash }
  } catch (error) {
    if (error instanceof RowProblem) return { reason: error.message }
    throw error
  }
}

function read(cells: Cells, rules: RowRules) {
  const { reader, stores } = rules
  const memberCode = reader.cell(cells, 'memberCode')
  if (memberCode === null) throw new RowProblem('memberCode: is empty')
  const registered = dayOf(cells, 'registrationDate', rules)
  if (registered === null) throw new RowProblem('registrationDate: is empty')
  const store = reader.cell(cells, 'registrationStore')
  if (store !== null && !stores.has(store)) {
    throw new RowProblem(`registrationStore: there is no store "${store}"`)
  }
  const [firstName, lastName] = [reader.cell(cells, 'firstName'), reader.cell(cells, 'lastName')]
  if (firstName === null && lastName === null) throw new RowProblem('firstName: is empty')
  const part = (name: 'country' | 'province' | 'city' | 'district' | 'detail') =>
    reader.cell(cells, name)
  return {
    memberCode,
    cardNumber: reader.cell(cells, 'cardNumber') ?? memberCode,
    uniCustomerNo: reader.cell(cells, 'uniCustomerNo') ?? memberCode,
    firstName: firstName ?? '',
    lastName: lastName ?? '',
    gender: genderOf(cells, rules),
    birthday: dayOf(cells, 'birthday', rules),
    ...mobileOf(cells, rules),
    email: emailOf(cells, rules),
    address: {
      country: part('country'),
      province: part('province'),
      city: part('city'),
      district: part('district'),
      detail: part('detail'),
    },
    registrationDate: registered,
    registrationStore: store,
    marketingOptIn: isYes(reader.cell(cells, 'marketingOptIn'), rules),
    customFields: customOf(cells, rules),
    consent: consentOf(cells, registered, store, rules),
  }
}

function dayOf(
  cells: Cells,
  column: 'birthday' | 'registrationDate' | 'termsDate',
  { reader, today }: RowRules,
): string | null {
  const text = reader.cell(cells, column)
  // Some systems write zeros for a missing date.
  if (text === null || text.startsWith('0000')) return null
  const day = reader.day(text)
  if (day === undefined) throw new RowProblem(`${column}: "${text}" does not match any date format`)
  if (day > today) throw new RowProblem(`${column}: ${day} is in the future`)
  return day
}

function genderOf(cells: Cells, { reader, mapping }: RowRules) {
  const text = reader.cell(cells, 'gender')
  if (text === null) return null
  const gender = mapping.genders[text]
  if (gender === undefined) throw new RowProblem(`gender: "${text}" is not in the mapping`)
  return gender
}

function mobileOf(cells: Cells, { reader, mapping }: RowRules) {
  const text = reader.cell(cells, 'mobile')
  if (text === null) return { countryCode: null, mobile: null }
  const { callingCode } = mapping
  const options = callingCode === undefined ? {} : { defaultCallingCode: callingCode }
  const number = parsePhoneNumberFromString(text.normalize('NFKC'), options)
  if (number === undefined || !number.isValid()) {
    throw new RowProblem(`mobile: "${text}" is not a valid number`)
  }
  return { countryCode: number.countryCallingCode, mobile: number.nationalNumber }
}

function emailOf(cells: Cells, { reader }: RowRules): string | null {
  const text = reader.cell(cells, 'email')
  if (text === null) return null
  const parsed = Email.safeParse(text)
  if (!parsed.success) throw new RowProblem(`email: "${text}" is not a valid address`)
  return parsed.data
}

function isYes(text: string | null, { mapping }: RowRules): boolean {
  return text !== null && mapping.yes.includes(text)
}

function customOf(cells: Cells, rules: RowRules): Record<string, CustomValue> {
  const values: Record<string, CustomValue> = {}
  for (const [name, field] of rules.fields) {
    const text = rules.reader.custom(cells, name)
    if (text === null) continue
    const checked = checkValue(field, typed(field, text, rules))
    if ('reason' in checked)
      throw new RowProblem(`${name}: "${text}" is refused: ${checked.reason}`)
    values[name] = checked.value
  }
  return values
}

/** Converts a cell to the field's type. */
function typed(field: FormField, text: string, rules: RowRules): unknown {
  switch (field.type) {
    case 'number':
      return Number(text)
    case 'boolean':
      return isYes(text, rules)
    case 'multiSelect':
      return text.split(rules.mapping.listSeparator).map((code) => code.trim())
    case 'date':
      return rules.reader.day(text) ?? text
    case 'text':
    case 'select':
    case 'email':
    case 'mobile':
    case 'region':
      return text
  }
}

function consentOf(cells: Cells, registered: string, store: string | null, rules: RowRules) {
  const version = rules.reader.cell(cells, 'termsVersion')
  if (version === null) return null
  const day = dayOf(cells, 'termsDate', rules) ?? registered
  // Noon in UTC is the same day nearly everywhere; the file has no time.
  return { version, language: rules.language, at: `${day}T12:00:00Z`, storeCode: store }
}
