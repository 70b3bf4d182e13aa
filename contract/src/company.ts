import * as z from 'zod/mini'
import { Identifier } from './auth.ts'
import { dictionaryTypes } from './wire/codes.ts'
import { endpoint, nothing } from './wire/endpoint.ts'
import { fact } from './wire/facts.ts'
import { defaultLanguage, Language, languages } from './wire/language.ts'
import { CodeName, Place, Points, text } from './wire/shapes.ts'

// Where the server says nothing, the defaults of the specification apply (sections 3, 6 and 9).
const tierProgressStyle = 'displayNextTierOnly'
const transactionItemStyle = 'separateScreen'
/** The layout of a company that chooses none. */
export const defaultLayout = { tierProgressStyle, transactionItemStyle } as const
/** The profile fields of a company that names none. */
export const defaultProfileFields = {
  shown: ['gender', 'birthday', 'mobile', 'email'],
  editable: ['firstName', 'lastName', 'gender', 'birthday'],
}

export const LayoutStyle = z.object({
  tierProgressStyle: z._default(
    z.enum(['displayNextTierOnly', 'displayAllTiers']),
    tierProgressStyle,
  ),
  transactionItemStyle: z._default(
    z.enum(['separateScreen', 'expandInline']),
    transactionItemStyle,
  ),
})

export const Theme = z.object({
  identifier: z.string(),
  /** URL of the logo, relative to the server's root or absolute. */
  logo: z.string(),
  name: z.string(),
  title: z.string(),
  /** The brand colour, `#rrggbb`; the portal derives all other colours from it. */
  theme: z.object({ color: z.string().check(z.regex(/^#[0-9a-f]{6}$/)) }),
  language: z._default(Language, defaultLanguage),
  languages: z._default(z.array(Language).check(z.minLength(1)), [...languages]),
  layoutStyleConfig: z._default(LayoutStyle, defaultLayout),
  /** Whether the company has fictitious members, for practising; the portal marks every page. */
  practice: z._default(z.boolean(), false),
})
export type Theme = z.infer<typeof Theme>

/** Public: the data that a browser needs before login. */
export const getCustomTheme = endpoint({
  method: 'GET',
  path: '/connector/setting/getCustomTheme',
  access: 'public',
  needsKey: false,
  input: z.strictObject({ xcrmIdentifier: Identifier }),
  data: Theme,
  refusals: ['identifierUnknown', 'tooManyAttempts'],
})

export const getSupportedLanguages = endpoint({
  method: 'GET',
  path: '/connector/setting/getSupportedLanguages',
  access: 'staff',
  needsKey: false,
  input: nothing,
  data: z.object({ languages: z.array(Language) }),
  refusals: [],
})

/** Stores the clerk's language with the account; the server's messages are written in it. */
export const setLanguage = endpoint({
  method: 'POST',
  path: '/connector/setting/language',
  access: 'staff',
  needsKey: false,
  input: z.strictObject({ language: Language }),
  data: z.null(),
  refusals: ['languageUnsupported'],
})

/** The icons that a menu may have; the names are those of Phosphor. */
export const menuIcons = [
  'identification-card',
  'users',
  'user-plus',
  'magnifying-glass',
  'calendar-blank',
  'calendar-check',
  'house',
  'storefront',
  'ticket',
  'gift',
  'coins',
  'receipt',
  'chart-bar',
  'package',
  'truck',
  'envelope',
  'article',
  'book-open',
  'gear',
  'squares-four',
] as const
export type MenuIcon = (typeof menuIcons)[number]

export const AppMenu = z.object({
  id: z.string(),
  /** The menu that this menu or button belongs to; null: none. */
  parentId: z.nullable(z.string()),
  identifier: z.string(),
  type: z.enum(['menu', 'button']),
  /** A path within the portal, or an absolute https URL that opens in a new tab. */
  url: z.nullable(z.string()),
  /** One of `menuIcons`; null or an unknown name: the module's own icon. */
  icon: z.nullable(z.string()),
  name: z.string(),
  sort: z.int(),
})
export type AppMenu = z.infer<typeof AppMenu>

export const getPermission = endpoint({
  method: 'GET',
  path: '/connector/config/getPermission',
  access: 'staff',
  needsKey: false,
  input: nothing,
  data: z.object({ appMenus: z._default(z.array(AppMenu), []) }),
  refusals: [],
})

const codeNames = z.optional(z.array(CodeName))
const Dictionary = z.object({
  gender: codeNames,
  pointType: codeNames,
  couponStatus: codeNames,
  transactionStatus: codeNames,
  transactionSource: codeNames,
  invoiceType: codeNames,
  tier: z.optional(fact('tier', z.array(CodeName))),
  callingCode: codeNames,
  country: codeNames,
  region: codeNames,
} satisfies Record<(typeof dictionaryTypes)[number], z.ZodMiniType>)

export const getDictionary = endpoint({
  method: 'POST',
  path: '/connector/config/getDictionary',
  access: 'staff',
  needsKey: false,
  input: z.strictObject({
    types: z.array(z.enum(dictionaryTypes)).check(z.minLength(1), z.maxLength(20)),
    /**
     * For `region`: the country or region whose next level is requested. Where regions are unknown,
     * the answer is empty and an address is free text.
     */
    parent: z.optional(text(12).check(z.regex(/^[A-Z0-9]+$/))),
  }),
  data: Dictionary,
  refusals: [],
})

export const PointExchangeRule = z.object({
  minimum: Points,
  maximum: Points,
  increment: Points,
  /** The value of one point in money, for example `0.01`. */
  pointValue: z.string(),
  /** The share of the transaction amount that points may pay, 0 to 1; null: no limit. */
  maxShare: z.nullable(z.number()),
})

/** The fields of a member's profile: those that are shown, and those that a clerk may change. */
export const ProfileFields = z.object({
  shown: z._default(z.array(z.string()), defaultProfileFields.shown),
  editable: z._default(z.array(z.string()), defaultProfileFields.editable),
})

/** A company's currency (decisions 88 and 98). It decides how many decimals amounts have. */
export const Currency = z.object({
  /** ISO 4217; null: CNY in Chinese and USD in English (specification, section 9). */
  code: z._default(z.nullable(z.string().check(z.regex(/^[A-Z]{3}$/))), null),
  /** Whether amounts have the sign of the currency. */
  shown: z._default(z.boolean(), false),
})
/** The currency of a company that names none: amounts have no sign. */
export const defaultCurrency = { code: null, shown: false }

export const OtherConfig = z.object({
  /** The IANA time zone of the company's calendar days. */
  timeZone: z.string(),
  /** Minutes after a redemption in which its store may undo it. */
  undoMinutes: z.int(),
  profileFields: z._default(ProfileFields, defaultProfileFields),
  /** Null also if the company has no rule. */
  pointExchangeRule: fact('exchangeRule', z.nullable(PointExchangeRule)),
  pointNames: z.object({ singular: z.string(), plural: z.string() }),
  idleLockMinutes: z.nullable(z.int()),
  staticPage: z.nullable(z.object({ title: z.string(), body: z.string() })),
  callingCodes: z.array(z.string()),
  currency: z._default(Currency, defaultCurrency),
  birthdayMinAge: z.nullable(z.int()),
  /** Whether contacts of members are masked; `revealContact` returns them in full. */
  maskContacts: z.boolean(),
})
export type OtherConfig = z.infer<typeof OtherConfig>

export const getOtherConfig = endpoint({
  method: 'POST',
  path: '/connector/config/getOtherConfig',
  access: 'staff',
  needsKey: false,
  input: nothing,
  data: OtherConfig,
  refusals: [],
})

/** Rules that a screen may explain, by code; unknown codes are null. */
export const getByCodes = endpoint({
  method: 'POST',
  path: '/connector/config/getByCodes',
  access: 'staff',
  needsKey: false,
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

/** One field of the register form. */
export const RegisterField = z.object({
  /**
   * `firstName`, `lastName`, `gender`, `birthday`, `mobile`, `email`, `address` or a field of the
   * company's own.
   */
  name: z.string(),
  label: z.string(),
  type: z.enum(fieldTypes),
  required: z.boolean(),
  /**
   * Whether `updateCustomer` may change it: `profileFields.editable` contains it, and the form does
   * not declare it as not editable. If it is absent, `defaultProfileFields` decides.
   */
  editable: z.optional(z.boolean()),
  order: z.int(),
  options: z.array(z.object({ code: z.string(), name: z.string() })),
  maxLength: z.nullable(z.int()),
  /** The minimum number of selections of a `multiSelect`; null: one if it is required. */
  minSelections: z._default(z.nullable(z.int()), null),
  /** A regular expression that the whole value must match. */
  pattern: z.nullable(z.string()),
})
export type RegisterField = z.infer<typeof RegisterField>

export const RegisterConfig = z.object({
  fields: z.array(RegisterField),
  /** The contacts that must be verified by a code before registration. */
  verification: z.object({ mobile: z.boolean(), email: z.boolean() }),
  /** The current terms, in the caller's language; `body` is Markdown. */
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
  needsKey: false,
  input: nothing,
  data: RegisterConfig,
  refusals: [],
})

export const listStores = endpoint({
  method: 'GET',
  path: '/connector/config/store/all',
  access: 'staff',
  needsKey: false,
  input: nothing,
  data: z.object({ items: z.array(Place) }),
  refusals: [],
})
