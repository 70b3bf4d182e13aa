import type { FieldReason } from '@tillside/contract/wire/failures'
import { fieldReasons } from '@tillside/contract/wire/failures'
import { defaultLanguage, type Language } from '@tillside/contract/wire/language'
import type * as z from 'zod/mini'
import { fieldTexts } from './answer-texts.ts'

type Field = { path: string; reason: FieldReason; message: string }

/**
 * The maximum number of fields in an answer, so that a body with a million wrong fields does not
 * get as many messages.
 */
export const maxFields = 100

/**
 * The invalid fields of an input, with messages in the caller's language; at most `maxFields`. A
 * field's path is like `address.city` or `codes.3`; the empty string is the input itself.
 */
export function invalidFields(
  issues: readonly z.core.$ZodIssue[],
  input: unknown,
  language: Language,
): Field[] {
  const told = issues.slice(0, maxFields).flatMap((issue) => {
    const keys =
      issue.code === 'unrecognized_keys'
        ? issue.keys.slice(0, maxFields).map((key) => issue.path.concat(key))
        : [issue.path]
    const reason = reasonOf(issue, input)
    return keys.map((path) => ({
      path: path.join('.'),
      reason,
      message: fieldTexts[reason][language],
    }))
  })
  return told.slice(0, maxFields)
}

/**
 * The first invalid field of a row of a file, in English: like `address.city: This is too long.` A
 * rule about several fields has its own message. The other messages of the schema library are not
 * used, because they depend on a locale that the whole process shares.
 */
export function firstProblem(issues: readonly z.core.$ZodIssue[], input: unknown): string {
  const [issue] = issues
  const [field] = invalidFields(issues, input, defaultLanguage)
  if (issue === undefined || field === undefined) throw new Error('a row without a problem')
  const isRule = issue.code === 'custom' && issue.message !== issue.params?.['reason']
  return `${field.path}: ${isRule ? issue.message : field.message}`
}

function reasonOf(issue: z.core.$ZodIssue, input: unknown): FieldReason {
  switch (issue.code) {
    case 'unrecognized_keys':
      return 'unknownField'
    case 'invalid_type':
    case 'invalid_union':
      return valueAt(input, issue.path) === undefined ? 'required' : 'wrongType'
    case 'too_small':
      if (issue.origin !== 'string' && issue.origin !== 'array') return 'tooSmall'
      return issue.minimum === 1 ? 'required' : 'tooShort'
    case 'too_big':
      return issue.origin === 'string' || issue.origin === 'array' ? 'tooLong' : 'tooLarge'
    case 'invalid_format':
      return 'format'
    case 'invalid_value':
      return valueAt(input, issue.path) === undefined ? 'required' : 'notAllowed'
    case 'custom':
      return fieldReasons.find((reason) => reason === issue.params?.['reason']) ?? 'notAllowed'
    case 'not_multiple_of':
    case 'invalid_key':
    case 'invalid_element':
      return 'notAllowed'
  }
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = Reflect.get(value, key)
  }
  return value
}

/** The invalid fields that a verb has found; at most `maxFields`. */
export function wrongFields(
  problems: readonly { path: string; reason: FieldReason }[],
  language: Language,
): { fields: Field[] } {
  const told = problems.slice(0, maxFields)
  return {
    fields: told.map(({ path, reason }) => ({
      path,
      reason,
      message: fieldTexts[reason][language],
    })),
  }
}

/** One invalid field that only a verb can detect, such as a cursor of another list. */
export function invalidField(
  path: string,
  reason: FieldReason,
  language: Language,
): { fields: Field[] } {
  return wrongFields([{ path, reason }], language)
}
