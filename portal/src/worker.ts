// The service worker. It stores the program's own files, whose names contain their hash, and each
// company's page for a lost network. It never stores API answers or pages with data, so it cannot
// show outdated data. A tab that was opened before
// an upgrade finds the files of its version here, even if the server no longer has them.

/** Each file of this version with the hash of its content; set by the build. */
declare const PROGRAM_FILES: Record<string, string>
declare const PROGRAM_VERSION: string

declare const clients: { claim: () => Promise<void> }
declare function skipWaiting(): Promise<void>
declare const registration: { navigationPreload?: { enable: () => Promise<void> } }

const prefix = 'tillside-program-'
const cacheName = prefix + PROGRAM_VERSION
const offlineCache = 'tillside-offline'
/** The page is stored after the clerk's own requests; in ms. */
const offlineDelayMs = 2000
/** Earlier versions that are kept, for open tabs and for a rollback. */
const keptVersions = 2

type Extendable = Event & {
  waitUntil: (work: Promise<unknown>) => void
  /** Where the browser has it: requests that never use this worker do not wait for it to start. */
  addRoutes?: (routes: { condition: object; source: 'network' }[]) => Promise<void>
}
type RequestEvent = Extendable & {
  request: Request
  respondWith: (answer: Promise<Response>) => void
  /** The page, which the browser asks for while this worker starts. */
  preloadResponse?: Promise<Response | undefined>
}

addEventListener('install', (event) => {
  // Any version's worker may answer, because each file name has only one content.
  if (!isExtendable(event)) return
  event.waitUntil(keepFiles().then(skipWaiting))
  const routes = [{ urlPattern: '/web/*' }, { urlPattern: '/*.json' }]
  const passed = event.addRoutes?.(
    routes.map((condition) => ({ condition, source: 'network' as const })),
  )
  passed?.catch(() => undefined)
})

addEventListener('activate', (event) => {
  if (!isExtendable(event)) return
  const preload = registration.navigationPreload?.enable()
  event.waitUntil(Promise.all([dropOldVersions(), preload]).then(() => clients.claim()))
})

addEventListener('fetch', (event) => {
  if (!isRequestEvent(event)) return
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.mode === 'navigate') return event.respondWith(openPage(event, pathname))
  const isFile = origin === location.origin && pathname.startsWith('/assets/')
  if (isFile && request.method === 'GET') event.respondWith(answer(request))
})

/** The page from the network, never from the device; without a network, the page that says so. */
async function openPage(event: RequestEvent, pathname: string): Promise<Response> {
  const [, identifier = ''] = pathname.split('/')
  const address = `/${identifier}/offline`
  try {
    const page = (await event.preloadResponse) ?? (await fetch(event.request))
    if (page.ok && identifier !== '') event.waitUntil(keepOfflinePage(address))
    return page
  } catch {
    const cache = await caches.open(offlineCache)
    return (await cache.match(address, { ignoreVary: true })) ?? new Response(plainPage, plain)
  }
}

/** Stores the page in the clerk's language; a failure leaves the stored one. */
async function keepOfflinePage(address: string): Promise<void> {
  await new Promise((resolve) => {
    setTimeout(resolve, offlineDelayMs)
  })
  const page = await fetch(address).catch(() => null)
  // The page of a captive portal has another policy.
  const policy = page?.headers.get('content-security-policy') ?? ''
  if (page?.ok !== true || !policy.includes('tillside-worker')) return
  await (await caches.open(offlineCache)).put(address, page)
}

const plain = {
  status: 503,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'",
  },
}
/** For a device that has not stored its company's page yet. The link opens the same address. */
const plainPage =
  '<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">' +
  '<meta name="color-scheme" content="light dark"><title>Tillside</title><h1>No connection</h1>' +
  '<p lang="zh-CN">没有网络连接</p><p lang="zh-HK">沒有網絡連線</p>' +
  '<p><a href="">Try again · 重试 · 重試</a></p></html>'

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
