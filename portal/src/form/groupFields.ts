import type { Language } from '@tillside/contract/wire/language'
import type { Field } from './values.ts'

/** The fields by their group on the page; a field that the company does not have is absent. */
export type GroupedFields = {
  contact: readonly Field[]
  /** In the order in which the language writes a name. */
  names: readonly Field[]
  gender: Field | null
  birthday: Field | null
  address: Field | null
  /** The company's own fields, in its order. */
  own: readonly Field[]
}

const known = new Set(['mobile', 'email', 'firstName', 'lastName', 'gender', 'birthday', 'address'])

/** Sorts the company's fields into the groups of the page. */
export function groupFields(fields: readonly Field[], language: Language): GroupedFields {
  const named = (name: string) => fields.find((field) => field.name === name) ?? null
  const those = (names: readonly string[]) =>
    names.flatMap((name) => {
      const field = named(name)
      return field === null ? [] : [field]
    })
  return {
    contact: those(['mobile', 'email']),
    names: those(language === 'en-US' ? ['firstName', 'lastName'] : ['lastName', 'firstName']),
    gender: named('gender'),
    birthday: named('birthday'),
    address: named('address'),
    own: fields.filter((field) => !known.has(field.name)).toSorted((a, b) => a.order - b.order),
  }
}

/** All fields in the order of the page. */
export function orderedFields(fieldGroups: GroupedFields): Field[] {
  const { contact, names, gender, birthday, address, own } = fieldGroups
  const single = [gender, birthday, address].filter((field) => field !== null)
  return [...contact, ...names, ...single, ...own]
}
