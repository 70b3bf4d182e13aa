import * as z from 'zod/mini'
import { Identifier } from './auth.ts'
import { dictionaryTypes } from './wire/codes.ts'
import { endpoint, nothing } from './wire/endpoint.ts'
import { Language } from './wire/language.ts'
import { CodeName, Place, Points, text } from './wire/shapes.ts'

export const LayoutStyle = z.object({
  tierProgressStyle: z.enum(['displayNextTierOnly', 'displayAllTiers']),
  transactionItemStyle: z.enum(['separateScreen', 'expandInline']),
})

export const Theme = z.object({
  identifier: z.string(),
  /** Address of the logo, relative to the server's root or absolute. */
  logo: z.string(),
  name: z.string(),
  title: z.string(),
  /** The one brand colour, `#rrggbb`; the portal derives the rest. */
  theme: z.object({ color: z.string().check(z.regex(/^#[0-9a-f]{6}$/)) }),
  language: Language,
  languages: z.array(Language).check(z.minLength(1)),
  layoutStyleConfig: LayoutStyle,
})
export type Theme = z.infer<typeof Theme>

/** Public: what a browser needs before anybody has logged in. */
export const getCustomTheme = endpoint({
  method: 'GET',
  path: '/connector/setting/getCustomTheme',
  access: 'public',
  idempotent: false,
  input: z.strictObject({ xcrmIdentifier: Identifier }),
  data: Theme,
  refusals: ['identifierUnknown'],
})

export const getSupportedLanguages = endpoint({
  method: 'GET',
  path: '/connector/setting/getSupportedLanguages',
  access: 'staff',
  idempotent: false,
  input: nothing,
  data: z.object({ languages: z.array(Language) }),
  refusals: [],
})

/** Keeps the clerk's choice with the account, for the messages that the server writes. */
export const setLanguage = endpoint({
  method: 'POST',
  path: '/connector/setting/language',
  access: 'staff',
  idempotent: false,
  input: z.strictObject({ language: Language }),
  data: z.null(),
  refusals: ['languageUnsupported'],
})

export const AppMenu = z.object({
  id: z.string(),
  parentId: z.nullable(z.string()),
  identifier: z.string(),
  type: z.enum(['menu', 'button']),
  /** A path inside the portal, or an absolute https address that opens in a new tab. */
  url: z.nullable(z.string()),
  icon: z.nullable(z.string()),
  name: z.string(),
  sort: z.int(),
})
export type AppMenu = z.infer<typeof AppMenu>

export const getPermission = endpoint({
  method: 'GET',
  path: '/connector/config/getPermission',
  access: 'staff',
  idempotent: false,
  input: nothing,
  data: z.object({ appMenus: z.array(AppMenu) }),
  refusals: [],
})

export const getDictionary = endpoint({
  method: 'POST',
  path: '/connector/config/getDictionary',
  access: 'staff',
  idempotent: false,
  input: z.strictObject({
    types: z.array(z.enum(dictionaryTypes)).check(z.minLength(1), z.maxLength(20)),
    /**
     * Of `region`: the country or region whose next level is wanted. Where that is not known the
     * answer is empty, and an address is free text.
     */
    parent: z.optional(text(12).check(z.regex(/^[A-Z0-9]+$/))),
  }),
  data: z.partialRecord(z.enum(dictionaryTypes), z.array(CodeName)),
  refusals: [],
})

export const PointExchangeRule = z.object({
  minimum: Points,
  maximum: Points,
  increment: Points,
  /** Money that one point pays, for example `0.01`. */
  pointValue: z.string(),
  /** 0 to 1 of the transaction amount that points may pay; null: no share rule. */
  maxShare: z.nullable(z.number()),
})

export const OtherConfig = z.object({
  /** The zone in which the company's days begin and end, an IANA name. */
  timeZone: z.string(),
  /** How long after a redemption its own store may undo it. */
  undoMinutes: z.int(),
  profileFields: z.object({ shown: z.array(z.string()), editable: z.array(z.string()) }),
  pointExchangeRule: z.nullable(PointExchangeRule),
  pointNames: z.object({ singular: z.string(), plural: z.string() }),
  idleLockMinutes: z.nullable(z.int()),
  staticPage: z.nullable(z.object({ title: z.string(), body: z.string() })),
  callingCodes: z.array(z.string()),
  birthdayMinAge: z.nullable(z.int()),
  /** Whether members' contacts come masked and `revealContact` tells them. */
  maskContacts: z.boolean(),
})
export type OtherConfig = z.infer<typeof OtherConfig>

export const getOtherConfig = endpoint({
  method: 'POST',
  path: '/connector/config/getOtherConfig',
  access: 'staff',
  idempotent: false,
  input: nothing,
  data: OtherConfig,
  refusals: [],
})

/** Codes of rules that a screen may want to explain; unknown codes are null. */
export const getByCodes = endpoint({
  method: 'POST',
  path: '/connector/config/getByCodes',
  access: 'staff',
  idempotent: false,
  input: z.strictObject({ codes: z.array(text(64)).check(z.minLength(1), z.maxLength(50)) }),
  data: z.record(z.string(), z.unknown()),
  refusals: [],
})

export const fieldTypes = [
  'text',
  'select',
  'multiSelect',
  'date',
  'mobile',
  'email',
  'region',
  'boolean',
  'number',
] as const

/** One field of the form that makes a member. */
export const RegisterField = z.object({
  /**
   * `firstName`, `lastName`, `gender`, `birthday`, `mobile`, `email`, `address` or the company's
   * own.
   */
  name: z.string(),
  label: z.string(),
  type: z.enum(fieldTypes),
  required: z.boolean(),
  /**
   * Whether a clerk may change it later: `profileFields.editable` names it, and the form does not
   * hold it back. What `updateCustomer` goes by.
   */
  editable: z.boolean(),
  order: z.int(),
  options: z.array(z.object({ code: z.string(), name: z.string() })),
  maxLength: z.nullable(z.int()),
  /** A regular expression for the whole value. */
  pattern: z.nullable(z.string()),
})
export type RegisterField = z.infer<typeof RegisterField>

export const RegisterConfig = z.object({
  fields: z.array(RegisterField),
  /** Which contacts must be proven by a code before a member is made. */
  verification: z.object({ mobile: z.boolean(), email: z.boolean() }),
  /** The terms of today, in the caller's language; `body` is Markdown. */
  tnc: z.object({
    version: z.string(),
    title: z.string(),
    url: z.nullable(z.string()),
    body: z.string(),
  }),
})
export type RegisterConfig = z.infer<typeof RegisterConfig>

export const getCustomRegisterConfig = endpoint({
  method: 'GET',
  path: '/connector/config/getCustomRegisterConfig',
  access: ['register', 'userInfo'],
  idempotent: false,
  input: nothing,
  data: RegisterConfig,
  refusals: [],
})

export const listStores = endpoint({
  method: 'GET',
  path: '/connector/config/store/all',
  access: 'staff',
  idempotent: false,
  input: nothing,
  data: z.object({ items: z.array(Place) }),
  refusals: [],
})
