import type { FieldReason } from '@tillside/contract/wire/failures'
import type { CustomValue } from '@tillside/contract/member'
import { CalendarDay, Email, text } from '@tillside/contract/wire/shapes'
import * as z from 'zod/mini'
import type { Settings } from '../company/definition.ts'
import { invalidFields } from '../text/invalid.ts'

export type FormField = Settings['register']['fields'][number]
type Checked = { value: CustomValue } | { reason: FieldReason }

/** The maximum length of a text field for which the company sets none. */
const maxTextLength = 2000
const Line = text(maxTextLength)
const Whole = z.int().check(z.minimum(1), z.maximum(999_999_999_999))
const Codes = z.array(z.string()).check(z.maxLength(200))

/** Validates one present value against its field of the register form. */
export function checkValue(field: FormField, value: unknown): Checked {
  switch (field.type) {
    case 'text':
      return checkText(field, value)
    case 'select':
      return checkChoice(field, value)
    case 'multiSelect': {
      const codes = parsed(Codes, value)
      if ('reason' in codes) return codes
      const wrong = codes.value.some((code) => 'reason' in checkChoice(field, code))
      if (wrong) return { reason: 'notAllowed' }
      const chosen = [...new Set(codes.value)]
      // No selection at all is allowed where the field is optional.
      const enough = chosen.length === 0 || chosen.length >= (field.minSelections ?? 1)
      return enough ? { value: chosen } : { reason: 'tooFew' }
    }
    case 'date':
      return parsed(CalendarDay, value)
    case 'email':
      return parsed(Email, value)
    case 'boolean':
      return parsed(z.boolean(), value)
    case 'number':
      return parsed(Whole, value)
    case 'mobile':
    case 'region':
      // `apply` allows these types only for the member's own mobile number and address.
      return { reason: 'wrongType' }
  }
}

function checkText({ maxLength, pattern }: FormField, value: unknown): Checked {
  const line = parsed(Line, value)
  if ('reason' in line) return line
  // In characters: one outside the basic plane counts as one.
  if (maxLength !== null && Array.from(line.value).length > maxLength) return { reason: 'tooLong' }
  const fits = pattern === null || new RegExp(`^(?:${pattern})$`, 'u').test(line.value)
  return fits ? line : { reason: 'format' }
}

function checkChoice({ options }: FormField, value: unknown): Checked {
  const code = parsed(z.string(), value)
  if ('reason' in code) return code
  return options.some((option) => option.code === code.value) ? code : { reason: 'notAllowed' }
}

function parsed<T>(
  schema: z.ZodMiniType<T>,
  value: unknown,
): { value: T } | { reason: FieldReason } {
  const read = schema.safeParse(value)
  if (read.success) return { value: read.data }
  const [problem] = invalidFields(read.error.issues, value, 'en-US')
  return { reason: problem?.reason ?? 'wrongType' }
}
