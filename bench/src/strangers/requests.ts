import { login, noPasswordLogin } from '@tillside/contract/auth'
import { getCustomTheme } from '@tillside/contract/company'
import { redeemCoupon } from '@tillside/contract/coupon'
import { integrationBase } from '@tillside/contract/integration/endpoint'
import { getOneCustomer } from '@tillside/contract/member'
import { basePath } from '@tillside/contract/wire/endpoint'
import type { Flood } from './flood.ts'

export type StrangerRequest = Pick<Flood, 'method' | 'path' | 'headers' | 'body' | 'endless'>
/** Addresses of the world: its company's logo, and the largest script of the portal. */
export type Addresses = { logo: string; script: string }

const company = 'bench'
const staffCall = `${basePath}${getOneCustomer.path}?code=X`
const guess = (path: string, token: string) => get(path, { authorization: `Bearer ${token}` })
const theme = (identifier: string) =>
  get(`${basePath}${getCustomTheme.path}?xcrmIdentifier=${identifier}`)
const logInAt = (identifier: string) =>
  post(basePath + login.path, { identifier, account: 'ben', password: 'x' })

/** Requests that need no session, or have no valid one, by what they call. */
export function strangerRequests({ logo, script }: Addresses): Record<string, StrangerRequest> {
  return {
    'the login': logInAt(company),
    'the login of an unknown company': logInAt('nobody'),
    'the login by link': post(basePath + noPasswordLogin.path, { accessToken: 'A'.repeat(86) }),
    'the theme': theme(company),
    'the theme of an unknown company': theme('nobody'),
    'the API description': get(`${basePath}/openapi.json`),
    'a page': get(`/${company}/login`),
    'a logo': get(logo),
    'the version': get('/version.json'),
    'a script': get(script),
    'an unknown path': get('/nothing/is/here.php'),
    'an unknown call': get(`${basePath}/nothing`),
    readiness: get('/readyz'),
    'a staff call without a token': get(staffCall),
    'a staff call with an unknown token': guess(staffCall, 'A'.repeat(86)),
    'a till with an unknown key': guess(
      `${integrationBase}/members/X`,
      `tillside_${'A'.repeat(64)}`,
    ),
  }
}

/** Requests that never end, each of which keeps a connection. */
export const endlessRequests: Record<string, StrangerRequest> = {
  'a login whose header never ends': { ...logInAt('nobody'), endless: 'header' },
  'a login whose body never ends': { ...logInAt('nobody'), endless: 'body' },
  'a staff call whose body never ends': {
    ...post(basePath + redeemCoupon.path, {}),
    endless: 'body',
  },
  'a till’s call whose body never ends': {
    ...post(`${integrationBase}/transactions`, {}),
    endless: 'body',
  },
  'a page whose header never ends': { ...get('/'), endless: 'header' },
}

function get(path: string, headers: Record<string, string> = {}): StrangerRequest {
  return { method: 'GET', path, headers }
}

function post(path: string, body: object): StrangerRequest {
  const headers = { 'content-type': 'application/json' }
  return { method: 'POST', path, headers, body: JSON.stringify(body) }
}
