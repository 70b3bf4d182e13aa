import { callingCodePattern } from '@tillside/contract/rules/contact'
import { Identifier } from '@tillside/contract/auth'
import {
  Currency,
  defaultCurrency,
  defaultLayout,
  defaultProfileFields,
  fieldTypes,
  LayoutStyle,
  PointExchangeRule,
  ProfileFields,
} from '@tillside/contract/company'
import { pointTypes, transactionSources } from '@tillside/contract/wire/codes'
import { Language } from '@tillside/contract/wire/language'
import { Permission } from '@tillside/contract/wire/permissions'
import * as z from 'zod/mini'
import { Webhook } from '../outbox/definition.ts'
import { isPattern, isTimeZone } from '../values/syntax.ts'
import { Allowances, ReceiptRules, ReturnRules } from './limits.ts'
import { StoreCountry } from './regions/regions.ts'

// The schema of a company's company.yaml. It validates the file, gives editors completion and
// parses the settings stored in the database.

/** A text per language. `apply` checks that each language of the company has one. */
export const Texts = z
  .partialRecord(Language, z.string().check(z.minLength(1), z.maxLength(20_000)))
  .check(z.refine((texts) => Object.keys(texts).length > 0, { error: 'holds no text' }))
export type Texts = z.infer<typeof Texts>

const Code = z.string().check(z.regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$/))
const Amount = z.string().check(z.regex(/^\d{1,13}(\.\d{1,3})?$/))
const Day = z.iso.date()
const Positive = z.int().check(z.positive())
const NotNegative = z.int().check(z.nonnegative())

export const Menu = z.strictObject({
  id: Code,
  parent: z._default(z.nullable(Code), null),
  /** `member`, `booking` or a module of the company's own. */
  identifier: z.string().check(z.minLength(1), z.maxLength(64)),
  /** A path within the portal or an https URL; null: only its child menus can be opened. */
  url: z._default(z.nullable(z.string().check(z.regex(/^(\/[\w\-/]*|https:\/\/\S+)$/))), null),
  /** One of `menuIcons`; null: the module's own icon. */
  icon: z._default(z.nullable(z.string()), null),
  names: Texts,
  sort: z.int(),
})

export const Store = z.strictObject({
  code: Code,
  name: z.string().check(z.minLength(1), z.maxLength(120)),
  active: z._default(z.boolean(), true),
  country: z._default(StoreCountry, null),
})

export const StaffGroup = z.strictObject({
  code: Code,
  permissions: z.array(Permission),
  menus: z.array(Code),
})

export const Tier = z.strictObject({
  code: Code,
  names: Texts,
  threshold: Amount,
  renewThreshold: Amount,
  /** Multiplies the points of the base rule for members of this tier, for example `1.5`. */
  multiplier: z._default(z.string().check(z.regex(/^\d{1,3}(\.\d{1,3})?$/)), '1'),
  benefits: z._default(z.partialRecord(Language, z.array(z.string())), {}),
})

export const Gift = z.strictObject({
  id: Code,
  names: Texts,
  descriptions: z._default(z.nullable(Texts), null),
  points: Positive,
  stock: z._default(z.nullable(NotNegative), null),
  perMemberLimit: z._default(z.nullable(Positive), null),
})

export const CouponDefinition = z.strictObject({
  id: Code,
  names: Texts,
  descriptions: z._default(z.nullable(Texts), null),
  kind: z.enum(['amount', 'percent', 'gift']),
  value: z._default(z.nullable(Amount), null),
  unionCode: z._default(z.nullable(Code), null),
  /** Fixed dates, both included, or `days` days that begin `after` days after the issue. */
  validity: z.union([
    z.strictObject({ from: Day, to: Day }),
    z.strictObject({ days: Positive, after: z._default(NotNegative, 0) }),
  ]),
  stock: z._default(z.nullable(NotNegative), null),
  perMemberLimit: z._default(z.nullable(Positive), null),
  pointsCost: z._default(z.nullable(Positive), null),
  issueStores: z._default(z.nullable(z.array(Code)), null),
  redeemStores: z._default(z.nullable(z.array(Code)), null),
})

/**
 * The expiry of earned points. `months`: at the end of the month N months later; `fixed`: on the
 * next of these days (MM-DD).
 */
const Expiry = z.union([
  z.strictObject({ kind: z.literal('none') }),
  z.strictObject({ kind: z.literal('months'), months: Positive }),
  z.strictObject({
    kind: z.literal('fixed'),
    dates: z
      .array(z.string().check(z.regex(/^(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/)))
      .check(z.minLength(1)),
  }),
])

/** Points as payment: whole points, and at most a share between 0 and 1 of the transaction. */
const ExchangeRule = z.strictObject({
  ...PointExchangeRule.shape,
  minimum: Positive,
  maximum: Positive,
  increment: Positive,
  pointValue: z.string().check(z.regex(/^\d{1,6}(\.\d{1,4})?$/)),
  maxShare: z.nullable(z.number().check(z.positive(), z.maximum(1))),
})

/** Additional points for sales that match all of its conditions. Several promotions add up. */
const Promotion = z.strictObject({
  id: Code,
  names: Texts,
  /** The first and the last day, both included, in the company's calendar. */
  from: Day,
  to: Day,
  /** Null: every store, and sales without a store. */
  stores: z._default(z.nullable(z.array(Code).check(z.minLength(1))), null),
  /** The goods that count, by SKU; null: the whole sale. */
  skus: z._default(
    z.nullable(z.array(z.string().check(z.minLength(1))).check(z.minLength(1))),
    null,
  ),
  /** Only a member's first purchase known to the server. */
  firstPurchase: z._default(z.boolean(), false),
  award: z.union([
    /** The multiple of the usual points for these goods, `2` for double points. */
    z.strictObject({ multiplier: z.string().check(z.regex(/^\d{1,3}(\.\d{1,3})?$/)) }),
    /** A fixed number of points for the sale. */
    z.strictObject({ bonus: Positive }),
  ]),
})
export type Promotion = z.infer<typeof Promotion>

const pointTypeNames = new Set(Object.keys(pointTypes))

export const PointRules = z.strictObject({
  /**
   * Points for one unit of net spend, before the tier's multiplier; the product is rounded down.
   */
  perUnit: z.string().check(z.regex(/^\d{1,6}(\.\d{1,4})?$/)),
  pendingDays: z._default(NotNegative, 0),
  expiry: Expiry,
  ...ReturnRules.shape,
  names: z.strictObject({ singular: Texts, plural: Texts }),
  /** The company's own names of point types. */
  typeNames: z._default(
    z.record(z.string().check(z.refine((name) => pointTypeNames.has(name))), Texts),
    {},
  ),
  exchange: z._default(z.nullable(ExchangeRule), null),
  /**
   * The part of all points that the company expects to be redeemed, 0 to 1; the books show the
   * points' worth by it too. Null: not estimated.
   */
  expectedRedemption: z._default(
    z.nullable(z.string().check(z.regex(/^(0(\.\d{1,4})?|1(\.0{1,4})?)$/))),
    null,
  ),
  promotions: z._default(z.array(Promotion), []),
})

export const TierRules = z.strictObject({
  window: z.enum(['rolling12Months', 'calendarYear']),
  /** Months from reaching a tier until its expiry, at the end of that month; null: never. */
  validityMonths: z.nullable(Positive),
  atEnd: z._default(z.enum(['stepDown', 'recompute']), 'stepDown'),
  /** After a return: the tier as it would be without the sale, at once; or at the next review. */
  tierAfterReturn: z._default(z.enum(['reevaluate', 'keep']), 'reevaluate'),
})

const CouponRules = z.strictObject({
  /** Whether a sale that is returned completely, or cancelled, returns its coupons. */
  returnGivesBack: z._default(z.boolean(), false),
})

/** One field of the register form; the form shows the fields in this order. */
const RegisterField = z.strictObject({
  name: z.string().check(z.regex(/^[a-z][A-Za-z0-9]{0,39}$/)),
  labels: Texts,
  type: z.enum(fieldTypes),
  required: z._default(z.boolean(), false),
  editable: z._default(z.boolean(), true),
  options: z._default(z.array(z.strictObject({ code: Code, names: Texts })), []),
  maxLength: z._default(z.nullable(Positive), null),
  minSelections: z._default(z.nullable(Positive), null),
  /** A regular expression that the whole value must match. */
  pattern: z._default(
    z.nullable(z.string().check(z.refine(isPattern, { error: 'is not a regular expression' }))),
    null,
  ),
})

const Register = z.strictObject({
  fields: z.array(RegisterField),
  /** The contacts that must be verified by a code before registration. */
  verification: z.strictObject({ mobile: z.boolean(), email: z.boolean() }),
})

const Article = z.strictObject({ titles: Texts, bodies: Texts })

/** The part of a definition that verbs read. Data that other rows refer to has its own tables. */
export const Settings = z.strictObject({
  names: Texts,
  titles: Texts,
  color: z.string().check(z.regex(/^#[0-9a-f]{6}$/)),
  languages: z.array(Language).check(z.minLength(1)),
  layout: z._default(z.strictObject(LayoutStyle.shape), defaultLayout),
  /** Minutes after a redemption in which its store may undo it. */
  undoMinutes: z._default(Positive, 30),
  /** Hours until a login expires; null: never. */
  sessionHours: z._default(z.nullable(Positive), 12),
  menus: z.array(Menu),
  profileFields: z._default(z.strictObject(ProfileFields.shape), defaultProfileFields),
  register: z._default(Register, { fields: [], verification: { mobile: false, email: false } }),
  callingCodes: z.array(z.string().check(z.regex(callingCodePattern))).check(z.minLength(1)),
  currency: z._default(z.strictObject(Currency.shape), defaultCurrency),
  birthdayMinAge: z._default(z.nullable(z.int()), null),
  /**
   * Whether contacts are masked. A clerk can reveal each one, which is written to the audit log.
   */
  maskContacts: z._default(z.boolean(), true),
  idleLockMinutes: z._default(z.nullable(Positive), null),
  allowances: z.prefault(Allowances, {}),
  tierRules: TierRules,
  couponRules: z._default(CouponRules, { returnGivesBack: false }),
  points: PointRules,
  receipts: z.prefault(ReceiptRules, {}),
  terms: z.extend(Article, {
    version: z.string().check(z.minLength(1), z.maxLength(32)),
    /** Where the customer can read the terms. */
    url: z._default(z.nullable(z.string().check(z.regex(/^https:\/\/\S+$/))), null),
  }),
  staticPage: z._default(z.nullable(Article), null),
  /** Additional transaction sources; the specification defines two. */
  sources: z._default(z.array(z.strictObject({ code: z.int(), names: Texts })), []),
})
export type Settings = z.infer<typeof Settings>

export const Definition = z.extend(Settings, {
  identifier: Identifier,
  /** The revision of the company that this folder was exported from, or applied as. */
  revision: z.optional(Positive),
  timeZone: z.string().check(z.refine(isTimeZone, { error: 'is not an IANA time zone' })),
  /** The name of a file in the same folder. */
  logo: z.string().check(z.regex(/^[\w-]+\.svg$/)),
  stores: z.array(Store).check(z.minLength(1)),
  groups: z.array(StaffGroup).check(z.minLength(1)),
  tiers: z.array(Tier).check(z.minLength(2), z.maxLength(6)),
  gifts: z._default(z.array(Gift), []),
  coupons: z._default(z.array(CouponDefinition), []),
  webhooks: z._default(z.array(Webhook), []),
})
export type Definition = z.infer<typeof Definition>

/** The languages whose text is shown in this language, the preferred first. */
export function textLanguages(
  language: Language,
  { languages }: Pick<Settings, 'languages'>,
): readonly [Language, Language] {
  return [language, languages[0] ?? language]
}

/** The text in this language, else in the company's first. @throws Error when both are missing */
export function textIn(
  texts: Texts,
  language: Language,
  settings: Pick<Settings, 'languages'>,
): string {
  const [own, first] = textLanguages(language, settings)
  const found = texts[own] ?? texts[first]
  if (found === undefined) throw new Error('a text of the company is missing')
  return found
}

/** The two transaction sources of the specification; a company may define more. */
export const knownSources = Object.values(transactionSources)
