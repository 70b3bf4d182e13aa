// The service worker. It stores only the program's own files, whose names contain their hash. It
// never stores API answers or pages, so it cannot show outdated data. A tab that was opened before
// an upgrade finds the files of its version here, even if the server no longer has them.

/** Each file of this version with the hash of its content; set by the build. */
declare const PROGRAM_FILES: Record<string, string>
declare const PROGRAM_VERSION: string

declare const clients: { claim: () => Promise<void> }
declare function skipWaiting(): Promise<void>

const prefix = 'tillside-program-'
const cacheName = prefix + PROGRAM_VERSION
/** Earlier versions that are kept, for open tabs and for a rollback. */
const keptVersions = 2

type Extendable = Event & {
  waitUntil: (work: Promise<unknown>) => void
  /** Where the browser has it: requests that never use this worker do not wait for it to start. */
  addRoutes?: (routes: { condition: object; source: 'network' }[]) => Promise<void>
}
type RequestEvent = Event & { request: Request; respondWith: (answer: Promise<Response>) => void }

addEventListener('install', (event) => {
  // Any version's worker may answer, because each file name has only one content.
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
  // One file at a time, so that the clerk's own requests are not delayed.
  for (const [address, integrity] of Object.entries(PROGRAM_FILES)) {
    if (await cache.match(address)) continue
    const known = await caches.match(address)
    // A file with the wrong hash, such as a captive portal's page, makes the installation fail; it
    // is tried again at the next start.
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
