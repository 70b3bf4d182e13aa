import type { Member } from '@tillside/contract/member'
import {
  differing,
  type Field,
  type FormValues,
  type ReadMobile,
  valuesOf,
  withField,
  writtenOf,
} from '../form/values.ts'

/** A field that somebody else has changed while it was open here. */
export type Conflict = {
  field: Field
  /** Both have changed it, to different things: one of the two is lost. */
  both: boolean
}

export type Merged = { values: FormValues; conflicts: Conflict[] }

/**
 * What was typed, on top of what the member is by now: what only they have changed is theirs, what
 * was changed here stays as it was typed.
 */
export function mergeValues(
  fields: readonly Field[],
  { before, now, typed }: { before: Member; now: Member; typed: FormValues },
  callingCode: string,
  readMobile: ReadMobile,
): Merged {
  const was = valuesOf(fields, before, callingCode)
  const theirs = valuesOf(fields, now, callingCode)
  const write = (values: FormValues) => writtenOf(fields, values, readMobile)
  const changedFields = (one: FormValues, other: FormValues) =>
    // A number's country is part of the number.
    new Set(differing(write(one), write(other)).map((n) => (n === 'countryCode' ? 'mobile' : n)))
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

/** What was typed over, by the names of the wire; null empties a field. */
export function changesOf(
  fields: readonly Field[],
  known: FormValues,
  typed: FormValues,
  readMobile: ReadMobile,
): Record<string, unknown> {
  const after = writtenOf(fields, typed, readMobile)
  const names = new Set(differing(writtenOf(fields, known, readMobile), after))
  // A number is written with its country.
  if (names.has('mobile') || names.has('countryCode')) names.add('mobile').add('countryCode')
  return Object.fromEntries([...names].map((name) => [name, after[name] ?? null]))
}
