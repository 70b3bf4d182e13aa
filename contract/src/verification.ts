import * as z from 'zod/mini'
import { endpoint } from './wire/endpoint.ts'
import { CallingCode, Email, NationalNumber } from './wire/shapes.ts'

/** The six digits that the customer reads out to the clerk. */
const Captcha = z.pipe(
  z.pipe(
    z.string().check(z.maxLength(32)),
    z.transform((s: string) => s.normalize('NFKC').replaceAll(/\s/g, '')),
  ),
  z.string().check(z.regex(/^\d{6}$/)),
)

const mobile = { countryCode: CallingCode, mobile: NationalNumber }
const email = { email: Email }

const CodeSent = z.object({
  /** Seconds for which the code is valid. */
  expiresIn: z.int(),
  /** Seconds until another code may be requested. */
  resendAfter: z.int(),
})
/** The proof that `createCustomer` accepts once for this contact. */
const Proof = z.object({ verification: z.string() })

const sending = {
  method: 'POST',
  access: ['register'],
  needsKey: false,
  data: CodeSent,
  refusals: ['contactTaken', 'captchaTooOften'],
} as const
const proving = {
  method: 'POST',
  access: ['register'],
  needsKey: false,
  data: Proof,
  refusals: ['captchaWrong', 'captchaMissing'],
} as const

export const sendMobileCaptcha = endpoint({
  ...sending,
  path: '/connector/verification/sendCreateCustomerMobileCaptcha',
  input: z.strictObject(mobile),
})

export const validateMobileCaptcha = endpoint({
  ...proving,
  path: '/connector/verification/validateCreateCustomerMobileCaptcha',
  input: z.strictObject({ ...mobile, captcha: Captcha }),
})

export const sendEmailCaptcha = endpoint({
  ...sending,
  path: '/connector/verification/sendCreateCustomerEmailCaptcha',
  input: z.strictObject(email),
})

export const validateEmailCaptcha = endpoint({
  ...proving,
  path: '/connector/verification/validateCreateCustomerEmailCaptcha',
  input: z.strictObject({ ...email, captcha: Captcha }),
})
