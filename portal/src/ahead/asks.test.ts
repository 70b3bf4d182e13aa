import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { configQuery } from '../company/config.ts'
import { usableCouponsQuery } from '../coupon/coupons.ts'
import { askedName } from '../kit/call/asked.ts'
import { requestOf } from '../kit/call/request.ts'
import { session } from '../kit/call/session.ts'
import { memberQuery, membershipQuery } from '../member/member.ts'
import { refreshGrants } from '../staff/permissions.ts'
import { lastReceiptQuery } from '../transaction/transactions.ts'
import { asksOf } from './asks.ts'

const fetched = vi.fn<typeof fetch>()

beforeEach(() => {
  vi.stubGlobal('fetch', fetched)
  vi.stubGlobal('localStorage', { setItem: vi.fn(), removeItem: vi.fn(), getItem: () => null })
  fetched.mockRejectedValue(new DOMException('left', 'AbortError'))
})

afterEach(() => {
  fetched.mockReset()
  vi.unstubAllGlobals()
})

const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } })

/** The requests that the script in the head sends for an address. */
function ahead(pathname: string, search = ''): string[] {
  return asksOf({ pathname, search }).map(({ endpoint, input }) =>
    askedName(requestOf('', endpoint, input)),
  )
}

const textOf = (part: unknown): string => (typeof part === 'string' ? part : '')

/** The requests that the screens send, in the form of the names of the script's requests. */
async function screens(...loads: (() => Promise<unknown>)[]): Promise<string[]> {
  await Promise.allSettled(loads.map((load) => load()))
  return fetched.mock.calls.map(([address, init]) => `${textOf(address)} ${textOf(init?.body)}`)
}

const always = [() => refreshGrants(), () => queries.fetchQuery({ ...configQuery, staleTime: 0 })]
const byCode = { code: 'AUR10001' }

test('the script asks exactly what the overview asks', async () => {
  session.open({
    token: 'secret',
    expiresAt: -1,
    staff: { account: 'amy', firstName: 'Amy', lastName: 'Lee' },
    store: { name: 'Main', code: 'M1' },
  })
  const asked = await screens(
    ...always,
    () => queries.fetchQuery(memberQuery(byCode)),
    () => queries.fetchQuery(membershipQuery('AUR10001')),
    () => queries.fetchQuery(usableCouponsQuery('AUR10001')),
    () => queries.fetchQuery(lastReceiptQuery('AUR10001')),
  )
  expect(asked).toHaveLength(6)
  expect(ahead('/aurora/member/home/view', '?code=AUR10001')).toEqual(asked)
})

test('another tab of the member has no block of the overview', async () => {
  const asked = await screens(
    ...always,
    () => queries.fetchQuery(memberQuery(byCode)),
    () => queries.fetchQuery(membershipQuery('AUR10001')),
  )
  expect(ahead('/aurora/member/home/point', '?code=AUR10001')).toEqual(asked)
})

test('any other look-up is asked by itself, as its page does', async () => {
  const mobile = { countryCode: '1', mobile: '2015550123' }
  const asked = await screens(...always, () => queries.fetchQuery(memberQuery(mobile)))
  expect(ahead('/aurora/member/home/view', '?mobile=2015550123&countryCode=1')).toEqual(asked)
})

test('other pages ask for no member, whatever their address names', async () => {
  const asked = await screens(...always)
  for (const [path, search] of [
    ['/aurora/index', ''],
    ['/aurora/index', '?code=AUR10001'],
    ['/aurora/member/search/index', '?code=AUR10001'],
    // A form for a new member: no member is looked up.
    ['/aurora/member/search/register', '?mobile=2015550123&countryCode=1'],
    ['/aurora/member/home/view', '?code=AUR10001&code=AUR10002'],
    ['/aurora/member/home/view', ''],
  ] as const) {
    expect([path, search, ahead(path, search)]).toEqual([path, search, asked])
  }
})

test('the customer display asks for nothing', () => {
  expect(ahead('/aurora/display')).toEqual([])
})
