import { lookUpFields } from '@tillside/contract/member'

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

const at = (to: string, search: Record<string, string> = {}): Address => ({ to, search })

export const paths = {
  modules: () => at('/index'),
  login: (redirectUrl?: string) => at('/login', redirectUrl === undefined ? {} : { redirectUrl }),
  member: () => at('/member'),
  memberSearch: () => at('/member/search/index'),
  memberHome: (lookUp: LookUp) => at('/member/home/view', lookUp),
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

/** The look-up in a query, or null unless it holds exactly one. */
export function lookUpIn(search: Record<string, unknown>): LookUp | null {
  const given = lookUpFields.filter((field) => isText(search[field]))
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

/** Where to go after login: only a path inside the same company is followed. */
export function safeRedirect(redirectUrl: unknown, identifier: string): string | null {
  if (!isText(redirectUrl)) return null
  // The host is a stand-in: what resolves to another one was never a path.
  const home = new URL('http://portal.invalid')
  const target = URL.canParse(redirectUrl, home) ? new URL(redirectUrl, home) : home
  const isInside = target.origin === home.origin && identifierIn(target.pathname) === identifier
  const isLogin = target.pathname.split('/')[2] === 'login'
  if (!redirectUrl.startsWith('/') || !isInside || isLogin) return null
  return target.pathname + target.search + target.hash
}
