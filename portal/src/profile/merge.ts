import type { Member } from '@tillside/contract/member'
import {
  changedNames,
  type Field,
  type FormValues,
  type ReadMobile,
  valuesOf,
  withField,
  toWire,
} from '../form/values.ts'

/** A field that another clerk has changed while it was open here. */
export type Conflict = {
  field: Field
  /** Both clerks have changed the field to different values, so one of them will be lost. */
  both: boolean
}

export type Merged = { values: FormValues; conflicts: Conflict[] }

/**
 * Merges the clerk's input into the member's current data: changes by others are taken over, except
 * in fields that were changed here.
 */
export function mergeValues(
  fields: readonly Field[],
  { before, now, typed }: { before: Member; now: Member; typed: FormValues },
  callingCode: string,
  readMobile: ReadMobile,
): Merged {
  const was = valuesOf(fields, before, callingCode)
  const theirs = valuesOf(fields, now, callingCode)
  const write = (values: FormValues) => toWire(fields, values, readMobile)
  const changedFields = (one: FormValues, other: FormValues) =>
    // A number's country is part of the number.
    new Set(changedNames(write(one), write(other)).map((n) => (n === 'countryCode' ? 'mobile' : n)))
  const byThem = changedFields(was, theirs)
  const byMe = changedFields(was, typed)
  const apart = changedFields(theirs, typed)
  let values = theirs
  for (const field of fields) if (byMe.has(field.name)) values = withField(values, field, typed)
  return {
    values,
    conflicts: fields
      .filter(({ name }) => byThem.has(name))
      .map((field) => ({ field, both: byMe.has(field.name) && apart.has(field.name) })),
  }
}

/** The changed fields, by their wire names; null empties a field. */
export function changesOf(
  fields: readonly Field[],
  known: FormValues,
  typed: FormValues,
  readMobile: ReadMobile,
): Record<string, unknown> {
  const after = toWire(fields, typed, readMobile)
  const names = new Set(changedNames(toWire(fields, known, readMobile), after))
  // A number is always sent with its country.
  if (names.has('mobile') || names.has('countryCode')) names.add('mobile').add('countryCode')
  return Object.fromEntries([...names].map((name) => [name, after[name] ?? null]))
}
