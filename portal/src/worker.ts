// The service worker. It keeps the program's own files, which are named after their content, and
// nothing else: no answer of the API and no page, so that it can never show what is no longer so.
// A tab that was opened before an upgrade finds the files of its own version here when the server
// has them no longer.

/** Each file of this version and the hash of its content; the build writes them in. */
declare const PROGRAM_FILES: Record<string, string>
declare const PROGRAM_VERSION: string

declare const clients: { claim: () => Promise<void> }
declare function skipWaiting(): Promise<void>

const prefix = 'tillside-program-'
const cacheName = prefix + PROGRAM_VERSION
/** Versions that are kept beside the own one: for tabs still open, and for a way back. */
const keptVersions = 2

type Extendable = Event & {
  waitUntil: (work: Promise<unknown>) => void
  /** Where the browser has it: what never needs this worker does not wait for it to wake. */
  addRoutes?: (routes: { condition: object; source: 'network' }[]) => Promise<void>
}
type RequestEvent = Event & { request: Request; respondWith: (answer: Promise<Response>) => void }

addEventListener('install', (event) => {
  // Nothing depends on which version's worker answers: a name stands for one content only.
  if (!isExtendable(event)) return
  event.waitUntil(keepFiles().then(skipWaiting))
  const routes = [{ requestMode: 'navigate' }, { urlPattern: '/web/*' }, { urlPattern: '/*.json' }]
  const passed = event.addRoutes?.(
    routes.map((condition) => ({ condition, source: 'network' as const })),
  )
  passed?.catch(() => undefined)
})

addEventListener('activate', (event) => {
  if (isExtendable(event)) event.waitUntil(dropOldVersions().then(() => clients.claim()))
})

addEventListener('fetch', (event) => {
  if (!isRequestEvent(event)) return
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  const isFile = origin === location.origin && pathname.startsWith('/assets/')
  if (isFile && request.method === 'GET') event.respondWith(answer(request))
})

async function answer(request: Request): Promise<Response> {
  return (await caches.match(request.url, { ignoreVary: true })) ?? fetch(request)
}

async function keepFiles(): Promise<void> {
  const cache = await caches.open(cacheName)
  // One after the other: whoever works meanwhile comes first.
  for (const [address, integrity] of Object.entries(PROGRAM_FILES)) {
    if (await cache.match(address)) continue
    const known = await caches.match(address)
    // What does not have the file's hash, a captive portal's page say, fails the installation;
    // the next start of the portal tries again.
    await cache.put(address, known ?? (await fetch(address, { integrity })))
  }
}

async function dropOldVersions(): Promise<void> {
  const names = (await caches.keys()).filter(
    (name) => name.startsWith(prefix) && name !== cacheName,
  )
  await Promise.all(names.slice(0, -keptVersions).map((name) => caches.delete(name)))
}

function isExtendable(event: Event): event is Extendable {
  return 'waitUntil' in event
}

function isRequestEvent(event: Event): event is RequestEvent {
  return 'respondWith' in event
}
