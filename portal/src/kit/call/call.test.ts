import { getCustomTheme, getPermission, setLanguage } from '@tillside/contract/company'
import { redeemCoupon } from '@tillside/contract/coupon'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { currentToast, hideToast } from '../../ui/layer/toastStore.ts'
import { call } from './call.ts'
import { queryClient } from './query.ts'
import { HttpFailure, isCancelled, NoAnswer, Refusal } from './failure.ts'
import { session } from './session.ts'
import { permissionsChanged, sessionLost } from './portalState.ts'

const fetched = vi.fn<typeof fetch>()
const key = '0190d5a0-0000-4000-8000-000000000000'

beforeEach(() => {
  vi.stubGlobal('fetch', fetched)
  vi.stubGlobal('localStorage', { setItem: vi.fn(), removeItem: vi.fn(), getItem: () => null })
  session.open({
    token: 'secret',
    expiresAt: -1,
    staff: { account: 'amy', firstName: 'Amy', lastName: 'Lee' },
    store: { name: 'Main', code: 'M1' },
  })
})

afterEach(() => {
  fetched.mockReset()
  vi.unstubAllGlobals()
  permissionsChanged.set(null)
  sessionLost.set(false)
  hideToast(currentToast()?.id ?? 0)
})

function answer(body: unknown, status = 200): void {
  fetched.mockResolvedValueOnce(
    new Response(JSON.stringify(body), { status, statusText: status === 200 ? 'OK' : 'Broken' }),
  )
}

const refused = (code: number) => answer({ code, message: 'no', data: null })
const redeem = { couponCode: 'C1', memberCode: 'M1' }

test('a call sends the token, the language and its key, and returns the data', async () => {
  answer({ code: 0, message: 'ok', data: { appMenus: [] } })
  await expect(call(getPermission, {}, { key })).resolves.toEqual({ appMenus: [] })
  const [address, request] = fetched.mock.calls[0] ?? []
  expect(address).toBe('/web/api/v1/connector/config/getPermission')
  expect(Object.fromEntries(new Headers(request?.headers))).toMatchObject({
    authorization: 'Bearer secret',
    'user-language': 'en-US',
    'idempotency-key': key,
  })
})

test('the input of a GET becomes its query', async () => {
  refused(104001)
  await expect(
    call(getCustomTheme, { xcrmIdentifier: 'aurora' }, { quiet: true }),
  ).rejects.toBeInstanceOf(Refusal)
  expect(fetched.mock.calls[0]?.[0]).toMatch(/getCustomTheme\?xcrmIdentifier=aurora$/)
})

test('a refusal is shown once, unless the caller shows it or its code is 111102', async () => {
  refused(105001)
  await expect(call(setLanguage, { language: 'zh-TW' })).rejects.toMatchObject({
    code: 105001,
    refusal: 'languageUnsupported',
  })
  expect(currentToast()).toMatchObject({ tone: 'error', text: 'no' })
  hideToast(currentToast()?.id ?? 0)
  refused(105001)
  await expect(call(setLanguage, { language: 'zh-TW' }, { quiet: true })).rejects.toThrow('no')
  refused(111102)
  await expect(call(setLanguage, { language: 'zh-TW' })).rejects.toThrow('no')
  expect(currentToast()).toBeNull()
})

test('an HTTP error is shown as status:statusText', async () => {
  answer({}, 503)
  await expect(call(getPermission, {})).rejects.toBeInstanceOf(HttpFailure)
  expect(currentToast()?.text).toBe('503:Broken')
})

test.each([
  [404, '404:Not Found'],
  [429, '429:Too Many Requests'],
  [503, '503:Service Unavailable'],
  // Unknown statuses, such as those of a content delivery network, have the phrase of their class.
  [499, '499:Bad Request'],
  [520, '520:Internal Server Error'],
])('over HTTP/2, which has no status texts, %s is shown as %s', async (status, shown) => {
  fetched.mockResolvedValueOnce(new Response('', { status }))
  await expect(call(getPermission, {})).rejects.toThrow(shown)
  expect(currentToast()?.text).toBe(shown)
})

test('a proxy’s 503 does not count as "unchanged"', async () => {
  const data = { requestId: 'r1', unchanged: true }
  for (const [body, status, unchanged] of [
    [{ code: 503, message: 'away', data }, 503, true],
    [{ code: 503, message: 'away', data: { requestId: 'r1' } }, 503, false],
    ['from a proxy', 503, false],
    [{ code: 500, message: 'broken', data }, 500, false],
  ] as const) {
    answer(body, status)
    await expect(call(redeemCoupon, redeem, { key })).rejects.toMatchObject({ status, unchanged })
  }
})

test('changed permissions are reported, with another pending call that moves value', async () => {
  refused(10000)
  await expect(call(getPermission, {})).rejects.toBeInstanceOf(Refusal)
  expect(permissionsChanged.get()).toEqual({ pending: false })
  permissionsChanged.set(null)
  answer({ code: 1, message: 'NO_PERMISSION', data: null })
  await expect(call(redeemCoupon, redeem, { key })).rejects.toBeInstanceOf(Refusal)
  // The redemption itself was refused, so there is nothing to check.
  expect(permissionsChanged.get()).toEqual({ pending: false })
  permissionsChanged.set(null)
  const unanswered = Promise.withResolvers<Response>()
  fetched.mockReturnValueOnce(unanswered.promise)
  const other = call(redeemCoupon, redeem, { key })
  refused(10000)
  await expect(call(getPermission, {})).rejects.toBeInstanceOf(Refusal)
  expect(permissionsChanged.get()).toEqual({ pending: true })
  unanswered.reject(new TypeError('network'))
  await expect(other).rejects.toBeInstanceOf(NoAnswer)
  expect(currentToast()).toBeNull()
})

test('401 ends its session, but not a later one', async () => {
  answer({}, 401)
  await expect(call(getPermission, {})).rejects.toBeInstanceOf(HttpFailure)
  expect(sessionLost.get()).toBe(true)
  sessionLost.set(false)
  answer({}, 401)
  const late = call(getPermission, {})
  session.close()
  await expect(late).rejects.toBeInstanceOf(HttpFailure)
  expect(sessionLost.get()).toBe(false)
})

test('a missing or unreadable answer is NoAnswer', async () => {
  fetched.mockRejectedValueOnce(new TypeError('network'))
  await expect(call(getPermission, {})).rejects.toBeInstanceOf(NoAnswer)
  answer({ code: 0, message: 'ok', data: { appMenus: 'none' } })
  await expect(call(getPermission, {})).rejects.toBeInstanceOf(NoAnswer)
  expect(currentToast()).toBeNull()
})

const askPermissions = () => call(getPermission, {}, { quiet: true })

test('a call without an answer ends after 120 s, and is not sent again', async () => {
  vi.useFakeTimers()
  fetched.mockImplementation((_, request) => {
    return new Promise((_resolve, reject) => {
      request?.signal?.addEventListener('abort', () => reject(request.signal?.reason))
    })
  })
  const asked = queryClient
    .fetchQuery({
      ...queryClient.defaultQueryOptions({ queryKey: ['slow'], queryFn: askPermissions }),
    })
    .catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(119_000)
  expect(queryClient.getQueryState(['slow'])?.status).toBe('pending')
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await asked).toMatchObject({ name: 'NoAnswer', timedOut: true })
  expect(fetched).toHaveBeenCalledTimes(1)
  vi.useRealTimers()
})

test('a repeated call cancels the first one silently, unless it moves value', async () => {
  fetched.mockImplementation((_, request) => {
    return new Promise((resolve, reject) => {
      request?.signal?.addEventListener('abort', () => reject(request.signal?.reason))
      setTimeout(() => resolve(Response.json({ code: 113002, message: 'used', data: null })), 20)
    })
  })
  const asking = [
    () => call(getPermission, {}, { quiet: true }),
    () => call(setLanguage, { language: 'zh-TW' }, { quiet: true }),
  ]
  for (const ask of asking) {
    const first = ask().catch((error: unknown) => error)
    const second = ask().catch((error: unknown) => error)
    expect(isCancelled(await first)).toBe(true)
    expect(await second).toBeInstanceOf(Refusal)
  }
  const languages = (['zh-TW', 'zh-HK'] as const).map((language) =>
    call(setLanguage, { language }, { quiet: true }),
  )
  for (const other of await Promise.allSettled(languages)) {
    expect(other).toMatchObject({ reason: { code: 113002 } })
  }
  const redeems = [1, 2].map(() => call(redeemCoupon, redeem, { key, quiet: true }))
  const ends = await Promise.allSettled(redeems)
  for (const end of ends) expect(end).toMatchObject({ reason: { code: 113002 } })
  expect(currentToast()).toBeNull()
})
