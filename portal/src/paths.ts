import type { lookUpFields } from '@tillside/contract/member'

// The only place that builds an address. The company's identifier is the router's base:
// it is in no path here.

/** How one member is named in an address: exactly one of the five, `mobile` with `countryCode`. */
export type LookUp =
  | { cardNumber: string }
  | { countryCode: string; mobile: string }
  | { code: string }
  | { uniCustomerNo: string }
  | { email: string }

/** Spread it over a `Link`, or hand it to `navigate`. */
export type Address = { to: string; search: Record<string, string> }

// The host is a stand-in: what resolves to another one was never a path.
const baseUrl = new URL('http://portal.invalid')

const address = (to: string, search: Record<string, string> = {}): Address => ({ to, search })

export const paths = {
  modules: () => address('/index'),
  login: (redirectUrl?: string) =>
    address('/login', redirectUrl === undefined ? {} : { redirectUrl }),
  member: () => address('/member'),
  memberSearch: () => address('/member/search/index'),
  /** The form for a new member; what a search did not find is carried into its field. */
  memberRegister: (carried?: LookUp) => address('/member/search/register', carried ?? {}),
  /** An address that the server's menu tree names. */
  inside: (url: string) => {
    const { pathname, searchParams } = new URL(url, baseUrl)
    return address(pathname, Object.fromEntries(searchParams))
  },
  memberHome: (lookUp: LookUp) => address('/member/home/view', lookUp),
  /** One of the member's pages. */
  memberTab: (tab: string, lookUp: LookUp) => address(`/member/home/${tab}`, lookUp),
  /** A member's coupons, and one of them that the clerk has in the hand. */
  memberCoupon: (memberCode: string, coupon: string) =>
    address('/member/home/coupon', { code: memberCode, coupon }),
  /** A member's receipts, and one of them that is read. */
  memberReceipt: (memberCode: string, invoice: string) =>
    address('/member/home/transaction', { code: memberCode, invoice }),
  /** What the company wants its staff to read. */
  staticPage: () => address('/static'),
  /** A member's coupons, with the list from which one is issued. */
  memberIssue: (memberCode: string) =>
    address('/member/home/coupon', { code: memberCode, issue: '1' }),
  /** The manual for clerks, and one of its pages. */
  manual: () => address('/manual'),
  manualPage: (page: string) => address(`/manual/${page}`),
  /** What this clerk did today. */
  shift: () => address('/shift'),
}

/** The address of the page that asks for a company. */
export const identifierSetPath = '/identifier-set'

// Routes of the portal itself; no company may be called so.
const neverIdentifiers = new Set(['login', 'index', 'identifier-set', 'assets', 'web'])

/** The company that an address names, or null when it names none. */
export function identifierIn(pathname: string): string | null {
  const first = pathname.split('/')[1] ?? ''
  const isIdentifier = /^[a-z0-9]+(?:-[a-z0-9]+)*$/i.test(first) && first.length <= 64
  return isIdentifier && !neverIdentifiers.has(first.toLowerCase()) ? first.toLowerCase() : null
}

// Named again, not imported: the login page must not carry the schemas of a member.
const fields: typeof lookUpFields = ['cardNumber', 'mobile', 'code', 'uniCustomerNo', 'email']

/** The look-up in a query, or null unless it holds exactly one. */
export function lookUpIn(search: Record<string, unknown>): LookUp | null {
  const given = fields.filter((field) => isText(search[field]))
  const [field] = given
  if (field === undefined || given.length > 1) return null
  const value = search[field]
  if (!isText(value)) return null
  if (field === 'cardNumber') return { cardNumber: value }
  if (field === 'code') return { code: value }
  if (field === 'uniCustomerNo') return { uniCustomerNo: value }
  if (field === 'email') return { email: value }
  const { countryCode } = search
  return isText(countryCode) ? { countryCode, mobile: value } : null
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

/**
 * Where to go after login, seen from the company's own base: only a path inside the same company
 * is followed, and never back to the login form.
 */
export function safeRedirect(redirectUrl: unknown, identifier: string): string | null {
  if (!isText(redirectUrl) || !redirectUrl.startsWith('/')) return null
  if (!URL.canParse(redirectUrl, baseUrl)) return null
  const { origin, pathname, search } = new URL(redirectUrl, baseUrl)
  if (origin !== baseUrl.origin || identifierIn(pathname) !== identifier) return null
  // A slash that hides could become one on the way.
  if (/%(?:2f|5c)/i.test(pathname)) return null
  const inside = `/${pathname.split('/').slice(2).join('/')}`
  return inside === paths.login().to ? null : inside + search
}
