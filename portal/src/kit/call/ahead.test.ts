import { getPermission } from '@tillside/contract/company'
import { membershipInfo } from '@tillside/contract/member'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Ahead, type Asked, askedName } from './asked.ts'
import { requestOf } from './request.ts'

const fetched = vi.fn<typeof fetch>()
const info = {
  token: 'secret',
  expiresAt: -1,
  staff: { account: 'amy', firstName: 'Amy', lastName: 'Lee' },
  store: { name: 'Main', code: 'M1' },
}
const grants = requestOf('', getPermission, {})
const member = requestOf('', membershipInfo, { memberCode: 'A1' })

beforeEach(() => {
  vi.resetModules()
  vi.stubGlobal('fetch', fetched)
  vi.stubGlobal('localStorage', { setItem: vi.fn(), removeItem: vi.fn(), getItem: () => null })
})

afterEach(() => {
  fetched.mockReset()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const ok = (data: unknown) => new Response(JSON.stringify({ code: 0, message: 'ok', data }))

function asked(answer: Promise<Response>): Asked {
  return { answer, stop: new AbortController(), at: Date.now() }
}

/** Loads the program as the page does, after the script has asked. */
async function load(given: Partial<Ahead> & Pick<Ahead, 'asked'>) {
  Object.defineProperty(globalThis, 'tillsideAhead', {
    value: { token: 'secret', language: 'en-US', ...given },
    configurable: true,
  })
  const { call } = await import('./call.ts')
  const { session } = await import('./session.ts')
  session.open(info)
  const getGrants = (options = {}) => call(getPermission, {}, { quiet: true, ...options })
  return { session, getGrants }
}

const one = (answer: Promise<Response>) => new Map([[askedName(grants), asked(answer)]])

test('an answer of the script is taken once, and is found nowhere else', async () => {
  const { getGrants } = await load({ asked: one(Promise.resolve(ok({ appMenus: [] }))) })
  expect(globalThis.tillsideAhead).toBeUndefined()
  await expect(getGrants()).resolves.toEqual({ appMenus: [] })
  expect(fetched).not.toHaveBeenCalled()
  fetched.mockResolvedValueOnce(ok({ appMenus: [] }))
  await getGrants()
  expect(fetched).toHaveBeenCalledTimes(1)
})

test.each([
  ['another clerk', { token: 'other' }],
  ['another language', { language: 'zh-CN' }],
])('that of %s is not taken', async (_, differs) => {
  const { getGrants } = await load({
    ...differs,
    asked: one(Promise.resolve(ok({ appMenus: [] }))),
  })
  fetched.mockResolvedValueOnce(ok({ appMenus: [] }))
  await getGrants()
  expect(fetched).toHaveBeenCalledTimes(1)
})

test('a call of another session takes no answer of this one', async () => {
  const { getGrants } = await load({ asked: one(Promise.resolve(ok({ appMenus: [] }))) })
  fetched.mockResolvedValueOnce(ok({ appMenus: [] }))
  await getGrants({ token: 'other' })
  expect(fetched).toHaveBeenCalledTimes(1)
})

test('a request without an answer is sent again by the call', async () => {
  const lost = Promise.reject(new TypeError('Failed to fetch'))
  const { getGrants } = await load({ asked: one(lost) })
  fetched.mockResolvedValueOnce(ok({ appMenus: [] }))
  await expect(getGrants()).resolves.toEqual({ appMenus: [] })
  expect(fetched).toHaveBeenCalledTimes(1)
})

test('an old answer is not shown as a new one', async () => {
  const map = one(Promise.resolve(ok({ appMenus: [] })))
  for (const old of map.values()) old.at = Date.now() - 16_000
  const { getGrants } = await load({ asked: map })
  fetched.mockResolvedValueOnce(ok({ appMenus: [] }))
  await getGrants()
  expect(fetched).toHaveBeenCalledTimes(1)
})

test('a refused session ends the session once, as with any answer', async () => {
  const { getGrants } = await load({
    asked: one(Promise.resolve(new Response('{}', { status: 401 }))),
  })
  const { sessionLost } = await import('./portalState.ts')
  await expect(getGrants()).rejects.toMatchObject({ status: 401 })
  expect(sessionLost.get()).toBe(true)
  expect(fetched).not.toHaveBeenCalled()
})

test('a cancelled call ends the request of the script', async () => {
  const pending = asked(new Promise(() => undefined))
  pending.answer = new Promise((_, failed) => {
    pending.stop.signal.addEventListener('abort', () => failed(pending.stop.signal.reason))
  })
  const { getGrants } = await load({ asked: new Map([[askedName(grants), pending]]) })
  fetched.mockRejectedValue(new DOMException('left', 'AbortError'))
  const first = getGrants()
  // The same call again cancels the first one.
  const second = getGrants()
  await expect(first).rejects.toMatchObject({ name: 'AbortError' })
  await expect(second).rejects.toMatchObject({ name: 'AbortError' })
  expect(pending.stop.signal.aborted).toBe(true)
})

test('a logout ends everything that no call has taken', async () => {
  const left = asked(Promise.resolve(ok({})))
  const { session } = await load({ asked: new Map([[askedName(member), left]]) })
  expect(left.stop.signal.aborted).toBe(false)
  session.close()
  expect(left.stop.signal.aborted).toBe(true)
})

test('so does time', async () => {
  vi.useFakeTimers()
  const left = asked(Promise.resolve(ok({})))
  await load({ asked: new Map([[askedName(member), left]]) })
  vi.advanceTimersByTime(16_000)
  expect(left.stop.signal.aborted).toBe(true)
})
