import { useLingui } from '@lingui/react/macro'
import { useConfig } from '../company/config.ts'
import { maxLengthOf, minSelectionsOf, type FieldErrorCode } from './check.ts'
import type { Field } from './values.ts'

/** The error of a field: from the portal's own validation, or from the server with its message. */
export type FormError = { type: string; message?: string | undefined }

/** Returns the text of a field's error, in the current language. */
export function useFieldErrorTexts(): (
  field: Pick<Field, 'name' | 'maxLength' | 'minSelections'>,
  fieldError: FormError | undefined,
) => string | undefined {
  const { t } = useLingui()
  const minAge = useConfig()?.birthdayMinAge ?? 0
  return (field, fieldError) => {
    if (fieldError === undefined) return undefined
    if (fieldError.type === server) return fieldError.message
    const n = maxLengthOf(field)
    const texts: Record<FieldErrorCode, string> = {
      required: t({ id: 'reg.required', message: 'This field is required' }),
      mobileBad: t({ id: 'reg.mobileBad', message: 'Please enter the correct phone number' }),
      emailBad: t({ id: 'search.emailBad', message: 'Please enter the correct email' }),
      positiveInt: t({ id: 'reg.positiveInt', message: 'Enter a whole number above 0' }),
      tooLong: t({ id: 'reg.tooLong', message: `Enter at most ${n} characters` }),
      format: t({ id: 'reg.format', message: 'The format is not valid' }),
      characters: t({ id: 'reg.characters', message: "Some characters can't be used here" }),
      dayBad: t({ id: 'reg.dayBad', message: 'Enter a valid date' }),
      dayFuture: t({ id: 'reg.dayFuture', message: 'Enter a date in the past' }),
      tooYoung: t({
        id: 'reg.tooYoung',
        message: `Members must be at least ${minAge} years old`,
      }),
      minSelect: minSelect(minSelectionsOf(field)),
      exists: t({ id: 'reg.exists', message: 'This number already belongs to a member.' }),
      existsEmail: t({
        id: 'reg.existsEmail',
        message: 'This email already belongs to a member.',
      }),
      sendFirst: t({ id: 'reg.sendFirst', message: 'Please send the verification code' }),
      codeReq: t({ id: 'reg.codeReq', message: 'Please enter the verification code' }),
      codeBad: t({ id: 'reg.codeBad', message: 'Please enter valid verification Code' }),
      sendFailed: withReason(
        t({ id: 'reg.sendFailed', message: 'The code could not be sent. Try again.' }),
        fieldError,
      ),
      checkFailed: withReason(
        t({ id: 'reg.checkFailed', message: 'The code could not be checked. Try again.' }),
        fieldError,
      ),
      termsReq: t({
        id: 'reg.termsReq',
        message: 'The customer must agree to the terms to join.',
      }),
    }
    return isFieldErrorCode(texts, fieldError.type) ? texts[fieldError.type] : fieldError.message
  }

  function minSelect(n: number): string {
    return t({ id: 'reg.minSelect', message: `Select at least ${n}` })
  }
}

/** Adds the reason that the server gave, such as `500:Internal Server Error`. */
function withReason(text: string, { message = '' }: FormError): string {
  return message === '' ? text : `${text} ${message}`
}

/** The type of an error from the server. */
export const server = 'server'

function isFieldErrorCode(
  texts: Record<FieldErrorCode, string>,
  type: string,
): type is FieldErrorCode {
  return type in texts
}
