import { type Asked, askedName } from '../kit/call/asked.ts'
import { requestInit, requestOf } from '../kit/call/request.ts'
import { isLive, keptName } from '../kit/store/kept.ts'
import { identifierIn } from '../paths.ts'
import { type Ask, asksOf } from './asks.ts'

// Runs in the page's head, before any other script has been loaded: asks for what the address
// names. The build makes one small file of it, in which the contract's calls have no schemas.

/** Read without a schema: another value only means that nothing is asked ahead. */
type Kept = { token?: unknown; expiresAt?: unknown; appMenus?: unknown }

try {
  askAhead()
} catch {
  // The storage may be forbidden or damaged. The program itself handles that.
}

function askAhead(): void {
  const identifier = identifierIn(location.pathname)
  // A login link may be for another clerk.
  if (identifier === null || new URLSearchParams(location.search).has('token')) return
  const { token, expiresAt } = read(keptName(identifier, 'session'))
  if (typeof token !== 'string' || typeof expiresAt !== 'number' || !isLive({ expiresAt })) return
  const menus = read(keptName(identifier, 'permissions'))
  const granted = menus.token === token ? menus.appMenus : null
  const language = document.documentElement.lang
  const root = document.currentScript?.dataset['api'] ?? ''
  const asked = new Map<string, Asked>()
  for (const { endpoint, input } of asksOf(location)) {
    if (!mayAsk(endpoint, granted)) continue
    const request = requestOf(root, endpoint, input)
    const stop = new AbortController()
    const init = { ...requestInit(request, language, token), signal: stop.signal }
    const one: Asked = { answer: fetch(request.address, init), stop, at: null }
    one.answer.then(
      () => (one.at = Date.now()),
      () => undefined,
    )
    asked.set(askedName(request), one)
  }
  Object.defineProperty(globalThis, 'tillsideAhead', {
    value: { token, language, asked },
    configurable: true,
  })
}

/** Leaves out what the clerk may not see, as far as this device knows. */
function mayAsk({ access }: Ask['endpoint'], granted: unknown): boolean {
  if (typeof access === 'string' || !Array.isArray(granted)) return true
  return granted.some(({ identifier }) => access.includes(identifier))
}

function read(name: string): Kept {
  return JSON.parse(localStorage.getItem(name) ?? '{}')
}
