import type { lookUpFields } from '@tillside/contract/member'

// Builds all addresses of the portal. The company's identifier is the router's base path, so it is
// in no path here.

/**
 * How an address names a member: exactly one of the five, `mobile` with `countryCode`
 * (specification, section 2).
 */
export type LookUp =
  | { cardNumber: string }
  | { countryCode: string; mobile: string }
  | { code: string }
  | { uniCustomerNo: string }
  | { email: string }

/** Pass its properties to a `Link`, or pass it to `navigate`. */
export type Address = { to: string; search: Query }

/** The parameters of an address. A repeated one is a list. */
export type Query = Record<string, string | string[]>

const displayPath = '/display'

// A placeholder host: a text that resolves to another host is not a path.
const baseUrl = /* @__PURE__ */ new URL('http://portal.invalid')

const address = (to: string, search: Query = {}): Address => ({ to, search })

export const paths = {
  modules: () => address('/index'),
  login: (redirectUrl?: string) =>
    address('/login', redirectUrl === undefined ? {} : { redirectUrl }),
  member: () => address('/member'),
  /** The search; with the query of a bad link it says why no member was opened. */
  memberSearch: (bad: Query = {}) => address('/member/search/index', bad),
  /** The form for a new member; the look-up of a failed search is filled in. */
  memberRegister: (carried?: LookUp) => address('/member/search/register', carried ?? {}),
  /** An address from the server's menu tree. */
  inside: (url: string) => {
    const { pathname, search } = new URL(url, baseUrl)
    return address(pathname, queryIn(search))
  },
  memberHome: (lookUp: LookUp) => address('/member/home/view', lookUp),
  /** One of the member's pages. */
  memberTab: (tab: string, lookUp: LookUp) => address(`/member/home/${tab}`, lookUp),
  /** A member's coupons, with the one that the clerk has scanned. */
  memberCoupon: (memberCode: string, coupon: string) =>
    address('/member/home/coupon', { code: memberCode, coupon }),
  /** A member's receipts, with the one that is open. */
  memberReceipt: (memberCode: string, invoice: string) =>
    address('/member/home/transaction', { code: memberCode, invoice }),
  /** The company's own page for its staff. */
  staticPage: () => address('/static'),
  /** The company's rules of points and tiers; Back leads to the page with the link. */
  rules: (from: 'manual' | 'static') => address('/rules', { from }),
  /** A member's coupons, with the list for issuing one. */
  memberIssue: (memberCode: string) =>
    address('/member/home/coupon', { code: memberCode, issue: '1' }),
  /** The manual for clerks, and one of its pages. */
  manual: () => address('/manual'),
  manualPage: (page: string) => address(`/manual/${page}`),
  /** The window for the customer. */
  display: () => address(displayPath),
  /** The clerk's own activity today. */
  shift: () => address('/shift'),
  /** The activity of all clerks of the store today. */
  storeShift: () => address('/shift/store'),
  /** The clerk's own activity today, with the actions of one request. */
  shiftOperation: (operation: string) => address('/shift', { operation }),
}

/** The page that asks for a company. */
export const identifierSetPath = '/identifier-set'

// Routes of the portal itself; no company may have these names.
const neverIdentifiers = new Set(['login', 'index', 'identifier-set', 'assets', 'web'])

/** Whether an address is the window for the customer. */
export function isDisplay({ pathname }: Pick<Location, 'pathname'>): boolean {
  return pathname.endsWith(displayPath)
}

/** The company that an address names, or null. */
export function identifierIn(pathname: string): string | null {
  const first = pathname.split('/')[1] ?? ''
  const isIdentifier = /^[a-z0-9]+(?:-[a-z0-9]+)*$/i.test(first) && first.length <= 64
  return isIdentifier && !neverIdentifiers.has(first.toLowerCase()) ? first.toLowerCase() : null
}

// A copy instead of an import, so that the login page does not load the member schemas.
const fields: typeof lookUpFields = ['cardNumber', 'mobile', 'code', 'uniCustomerNo', 'email']

/**
 * Reads a query string. A repeated parameter becomes a list, so that a look-up with two values is
 * recognised as a bad link.
 */
export function queryIn(search: string): Query {
  const parameters = new URLSearchParams(search)
  const names = [...new Set(parameters.keys())]
  return Object.fromEntries(
    names.map((name) => {
      const [first = '', ...others] = parameters.getAll(name)
      return [name, others.length === 0 ? first : [first, ...others]]
    }),
  )
}

/** The look-up in a query, or null unless there is exactly one, with exactly one value. */
export function lookUpIn(search: Record<string, unknown>): LookUp | null {
  const given = fields.filter((name) => isGiven(search[name]))
  const [field] = given
  if (field === undefined || given.length > 1) return null
  if (isGiven(search['countryCode']) !== (field === 'mobile')) return null
  const value = search[field]
  if (!isText(value)) return null
  if (field === 'cardNumber') return { cardNumber: value }
  if (field === 'code') return { code: value }
  if (field === 'uniCustomerNo') return { uniCustomerNo: value }
  if (field === 'email') return { email: value }
  const { countryCode } = search
  return isText(countryCode) ? { countryCode, mobile: value } : null
}

/** The member whose page an address names, and the page's tab; null for any other address. */
export function memberIn({
  pathname,
  search,
}: Pick<Location, 'pathname' | 'search'>): { lookUp: LookUp; tab: string } | null {
  const tab = /^\/[^/]+\/member\/home\/([^/]+)\/?$/.exec(pathname)?.[1]
  const lookUp = lookUpIn(queryIn(search))
  return tab === undefined || lookUp === null ? null : { lookUp, tab }
}

/** Whether a query is meant for a member. */
export function namesMember(search: Record<string, unknown>): boolean {
  return [...fields, 'countryCode'].some((name) => search[name] !== undefined)
}

/** Whether a query is a bad link: it is meant for a member, but its look-up is invalid. */
export function isBadLink(search: Record<string, unknown>): boolean {
  return namesMember(search) && lookUpIn(search) === null
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

/**
 * The path to open after login, relative to the company's base: only a path of the same company is
 * accepted, and never the login form.
 */
export function safeRedirect(redirectUrl: unknown, identifier: string): string | null {
  if (!isText(redirectUrl) || !redirectUrl.startsWith('/')) return null
  if (!URL.canParse(redirectUrl, baseUrl)) return null
  const { origin, pathname, search } = new URL(redirectUrl, baseUrl)
  if (origin !== baseUrl.origin || identifierIn(pathname) !== identifier) return null
  // An encoded slash could be decoded on the way and change the path.
  if (/%(?:2f|5c)/i.test(pathname)) return null
  const inside = `/${pathname.split('/').slice(2).join('/')}`
  return inside === paths.login().to ? null : inside + search
}
