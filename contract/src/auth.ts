import * as z from 'zod/mini'
import { endpoint, nothing } from './wire/endpoint.ts'
import { isVisible, text } from './wire/shapes.ts'

/** First path segments used by the product itself; no company can have one as its identifier. */
export const reservedSegments: ReadonlySet<string> = new Set([
  'login',
  'index',
  'identifier-set',
  'web',
  'assets',
  'integration',
  'healthz',
  'readyz',
  'metrics',
])

/** A company's address segment: lower-case letters, digits and inner hyphens. */
export const Identifier = z.pipe(
  z.pipe(
    text(64),
    z.transform((s: string) => s.toLowerCase()),
  ),
  z.string().check(
    z.regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/),
    z.refine((s) => !reservedSegments.has(s), { params: { reason: 'notAllowed' } }),
  ),
)

export const LoginInfo = z.object({
  token: z.string(),
  /** Seconds since the epoch; -1 never expires. */
  expiresAt: z.int(),
  staff: z.object({ account: z.string(), firstName: z.string(), lastName: z.string() }),
  store: z.object({ name: z.string(), code: z.string() }),
})
export type LoginInfo = z.infer<typeof LoginInfo>

export const login = endpoint({
  method: 'POST',
  path: '/auth/login',
  access: 'public',
  needsKey: false,
  device: true,
  input: z.strictObject({
    identifier: Identifier,
    account: text(64),
    // Not trimmed, and of any length up to a limit: a wrong password is "wrong", not "badly
    // formed".
    password: z.string().check(z.minLength(1), z.maxLength(256)),
  }),
  data: LoginInfo,
  refusals: [
    'identifierUnknown',
    'accountUnknown',
    'storeInactive',
    'passwordWrong',
    'tooManyAttempts',
  ],
})

export const logout = endpoint({
  method: 'POST',
  path: '/auth/logout',
  access: 'staff',
  needsKey: false,
  input: nothing,
  data: z.null(),
  refusals: [],
})

/** Logs in with the access token of a link, which works once and expires soon. */
export const noPasswordLogin = endpoint({
  method: 'POST',
  path: '/auth/noPasswordLogin',
  access: 'public',
  needsKey: false,
  device: true,
  input: z.strictObject({
    accessToken: z.string().check(z.minLength(1), z.maxLength(512)),
    /** The company in the portal's address; a link of another company is refused. */
    identifier: z.optional(Identifier),
  }),
  data: LoginInfo,
  refusals: ['linkInvalid', 'storeInactive', 'tooManyAttempts'],
})

/** 8 to 16 visible characters without white space (specification, section 5). */
export const NewPassword = z.string().check(
  z.refine((typed) => /^\S{8,16}$/u.test(typed) && isVisible(typed), {
    params: { reason: 'newPassword' },
  }),
)

/** Ends every session of the account, including the caller's. */
export const changePassword = endpoint({
  method: 'POST',
  path: '/auth/changePassword',
  access: 'staff',
  needsKey: false,
  device: true,
  input: z
    .strictObject({
      originPassword: z.string().check(z.minLength(1), z.maxLength(256)),
      newPassword: NewPassword,
      confirm_password: z.string().check(z.maxLength(256)),
    })
    .check(
      z.refine((typed) => typed.newPassword === typed.confirm_password, {
        error: 'passwordsDiffer',
        path: ['confirm_password'],
        params: { reason: 'passwordsDiffer' },
      }),
    ),
  data: z.null(),
  refusals: ['passwordWrong', 'tooManyAttempts'],
})

/** Proves that the session is still its clerk's; the allowance of look-ups then begins again. */
export const confirmPassword = endpoint({
  method: 'POST',
  path: '/auth/confirmPassword',
  access: 'staff',
  needsKey: false,
  device: true,
  input: z.strictObject({ password: z.string().check(z.minLength(1), z.maxLength(256)) }),
  data: z.null(),
  refusals: ['passwordWrong', 'tooManyAttempts'],
})
