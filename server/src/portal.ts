import { hash as digest } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'
import staticFiles from '@fastify/static'
import { Identifier } from '@tillside/contract/auth'
import type { Theme } from '@tillside/contract/company'
import { acceptedLanguages, fittingLanguage } from '@tillside/contract/rules/language-fit'
import { defaultLanguage, type Language, languages } from '@tillside/contract/wire/language'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { findCompany, type FoundCompany } from './company/find.ts'
import { iconOf, logoAddress, manifestOf, themeOf } from './company/theme.ts'
import type { Places } from './http/places/places.ts'
import { isReserved, mayBePage } from './http/addresses.ts'
import { projectRoot } from './process/config.ts'
import type { Database } from './database/database.ts'
import { type Environment, environmentOf } from './process/environment.ts'
import { pagePermissions } from './http/security-headers.ts'
import { opensPage } from './http/server.ts'
import { HttpRefusal } from './text/fail.ts'

/**
 * The camera's decoder may compile WebAssembly, which no page may. Everything else is forbidden to
 * it.
 */
const decoderPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"

/** For files that load nothing. */
const bare = "default-src 'none'"

/** The API's base URL by environment; absent: the portal's own origin. */
export type ApiRoots = Partial<Record<Environment, string>>

/** The folder of the portal's build, unless the operator sets another one. */
export const builtPortal = join(projectRoot, 'portal/dist')

/**
 * Exported by the portal's build: renders a complete document for the first paint, which needs no
 * API call.
 */
type FirstPage = (input: {
  theme: Theme | null
  identifier: string | null
  language: Language
  frame: 'login' | 'identifier' | 'app' | 'offline'
  pathname: string
  api: string
}) => BuiltPage
const BuiltPage = z.object({
  html: z.string(),
  styleHashes: z.array(z.string()),
  // A build from before the page had a script names none.
  scriptHashes: z._default(z.array(z.string()), []),
})
type BuiltPage = z.infer<typeof BuiltPage>

/** A document ready to send, cached by company revision, language and kind of page. */
type Page = { html: Buffer; brotli: Buffer; policy: string }

/** Serves the portal's files, the companies' logos, and the first page for every other address. */
export async function servePortal(
  app: FastifyInstance,
  { database, places }: { database: Database; places: Places },
  built: string,
  apiRoots: ApiRoots,
): Promise<void> {
  async function find(request: FastifyRequest, identifier: string): Promise<FoundCompany | null> {
    // A network that has tried too many names gets the page of an unknown one.
    if (places.guesses.waitOf(request.ip, identifier) !== null) return null
    const company = await places.forPublic(request, () => findCompany(database, identifier))
    places.guesses.record(request.ip, identifier, company !== null)
    return company
  }
  serveCompanyFiles(app, find)
  if (!existsSync(join(built, 'server/first-page.js'))) return
  const firstPage = await loadFirstPage(built)
  await serveProgram(app, join(built, 'client'))
  const pages = new Map<string, Page>()
  app.get('/*', async (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '/'
    // Addresses of the API and of files never get a page: they are answered above or not found. A
    // browser's navigation gets a page even if a dot in the address looks like a file.
    const isPage = mayBePage(path) || (opensPage(request) && !isReserved(path))
    if (!isPage) return reply.callNotFound()
    const [, first = '', second = ''] = path.split('/')
    const identifier = Identifier.safeParse(first)
    const company = identifier.success ? await find(request, identifier.data) : null
    const language = languageFor(request, company)
    const frame = company === null ? 'identifier' : frameOf(request.url, second)
    // Look-ups are in the query string, so pages differ by few paths.
    const pathname = frame === 'app' ? `/${first}${knownPath(path)}` : ''
    const api = apiRoots[environmentOf(request.hostname)] ?? ''
    const key = [company?.revision, language, frame, company?.identifier, pathname, api].join(' ')
    let page = pages.get(key)
    if (page === undefined) {
      page = makePage(firstPage, company, { language, frame, pathname, api })
      if (pages.size > 2_000) pages.clear()
      pages.set(key, page)
    }
    return sendPage(page, request, reply)
  })
}

type Find = (request: FastifyRequest, identifier: string) => Promise<FoundCompany | null>

/** Serves the logos, and the manifests and icons with which a device installs the portal. */
function serveCompanyFiles(app: FastifyInstance, find: Find): void {
  app.get<{ Params: { identifier: string } }>(
    '/web/logo/:identifier/:file',
    async (request, reply) => {
      const identifier = Identifier.safeParse(request.params.identifier)
      const company = identifier.success ? await find(request, identifier.data) : null
      if (company === null || !logoAddress(company).endsWith(request.url))
        return reply.callNotFound()
      // An SVG may contain its own styles.
      const policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
      return reply
        .header('content-type', 'image/svg+xml')
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('content-security-policy', policy)
        .send(company.logo)
    },
  )
  app.get<{ Params: { identifier: string; file: string } }>(
    '/web/app/:identifier/:file',
    async (request, reply) => {
      const { file } = request.params
      const identifier = Identifier.safeParse(request.params.identifier)
      const company = identifier.success ? await find(request, identifier.data) : null
      if (company === null) return reply.callNotFound()
      reply.header('cache-control', 'no-cache').header('content-security-policy', bare)
      if (file === 'icon.svg') return reply.type('image/svg+xml').send(iconOf(company))
      if (file !== 'manifest.webmanifest') return reply.callNotFound()
      const manifest = manifestOf(company, languageFor(request, company))
      return reply.type('application/manifest+json').send(JSON.stringify(manifest))
    },
  )
}

/** Serves the program's files, whose names contain a hash, and the two with the current version. */
async function serveProgram(app: FastifyInstance, client: string): Promise<void> {
  await app.register(async (files) => {
    // The plugin answers other paths with an error, which would be logged.
    files.addHook('onRequest', async (request) => {
      if (!isFileOfProgram(request.url)) throw new HttpRefusal('notFound')
    })
    await files.register(staticFiles, {
      root: join(client, 'assets'),
      prefix: '/assets/',
      preCompressed: true,
      immutable: true,
      maxAge: '365d',
      decorateReply: false,
      setHeaders(reply, path) {
        if (/\bdecode\.worker\b/.test(path)) {
          void reply.header('content-security-policy', decoderPolicy)
        }
      },
    })
  })
  // Every open portal asks every five seconds, so the answer is held in memory and is mostly a 304.
  for (const [name, type, policy] of [
    ['version.json', 'application/json', "default-src 'none'"],
    // The worker fetches the program's files, and nothing from other origins.
    ['worker.js', 'text/javascript', "default-src 'none'; connect-src 'self'"],
  ] as const) {
    // Builds from before these files existed are served without them.
    if (!existsSync(join(client, name))) continue
    const content = await readFile(join(client, name))
    const tag = tagOf(content)
    app.get(`/${name}`, (request, reply) => {
      reply
        .header('content-type', `${type}; charset=utf-8`)
        .header('cache-control', 'no-cache')
        .header('content-security-policy', policy)
        .header('etag', tag)
      if (request.headers['if-none-match'] === tag) return reply.code(304).send()
      return reply.send(content)
    })
  }
}

/** The build gives each file a plain name, without a folder. */
function isFileOfProgram(url: string): boolean {
  return /^\/assets\/[\w-]+(?:\.[\w-]+)*(?:\?|$)/.test(url)
}

function tagOf(content: Buffer): string {
  return `"${digest('sha1', content, 'base64url')}"`
}

async function loadFirstPage(built: string): Promise<FirstPage> {
  const loaded: unknown = await import(pathToFileURL(join(built, 'server/first-page.js')).href)
  const render =
    typeof loaded === 'object' && loaded !== null ? Reflect.get(loaded, 'renderFirstPage') : null
  if (typeof render !== 'function') throw new Error('the built portal has no renderFirstPage')
  return (input) => BuiltPage.parse(render(input))
}

function makePage(
  firstPage: FirstPage,
  company: FoundCompany | null,
  wanted: Omit<Parameters<FirstPage>[0], 'theme' | 'identifier'>,
): Page {
  const theme = company && themeOf(company, wanted.language)
  const identifier = company?.identifier ?? null
  const built = firstPage({ ...wanted, theme, identifier })
  const bytes = Buffer.from(built.html)
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }
  return {
    html: bytes,
    brotli: brotliCompressSync(bytes, quality),
    policy: policyOf(built, wanted.api),
  }
}

function policyOf({ styleHashes, scriptHashes }: BuiltPage, api: string): string {
  const [styles, scripts] = [styleHashes, scriptHashes].map((hashes) =>
    hashes.map((hash) => ` '${hash}'`).join(''),
  )
  return [
    "default-src 'none'",
    `script-src 'self'${scripts}`,
    "worker-src 'self'",
    `style-src 'self'${styles}`,
    "img-src 'self'",
    "font-src 'self'",
    `connect-src 'self'${api === '' ? '' : ` ${new URL(api).origin}`}`,
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    // The two policies in use: for the service worker's URL and the camera's decoder.
    'trusted-types tillside-worker tillside-decoder',
  ].join('; ')
}

function sendPage(page: Page, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const brotli = /\bbr\b/.test(request.headers['accept-encoding'] ?? '')
  const tag = `"${digest('sha1', page.html, 'base64url')}${brotli ? '-br' : ''}"`
  reply
    .header('content-type', 'text/html; charset=utf-8')
    // A page names hashed files, so browsers must revalidate it.
    .header('cache-control', 'no-cache')
    .header('vary', 'accept-encoding, accept-language, cookie')
    .header('etag', tag)
    .header('content-security-policy', page.policy)
    .header('permissions-policy', pagePermissions)
  if (request.headers['if-none-match'] === tag) return reply.code(304).send()
  if (brotli) return reply.header('content-encoding', 'br').send(page.brotli)
  return reply.send(page.html)
}

/** An access link needs no login form. The worker stores the page for a lost network. */
function frameOf(url: string, second: string): 'login' | 'app' | 'offline' {
  if (second === 'offline') return 'offline'
  return second === 'login' && !/[?&]token=/.test(url) ? 'login' : 'app'
}

/** The paths that need their own first page. */
function knownPath(path: string): string {
  return /\/(?:index|member\/(?:search|home)\b)/.exec(path)?.[0] ?? ''
}

/** The language in the address, else the clerk's choice, the browser's, or the company's first. */
function languageFor(request: FastifyRequest, company: FoundCompany | null): Language {
  const offered = company?.settings.languages ?? languages
  const named = new URLSearchParams(request.url.split('?', 2)[1]).get('lang')
  const chosen = /(?:^|; )tillside-language=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1]
  const accepted = acceptedLanguages(request.headers['accept-language'] ?? '')
  return fittingLanguage(offered, [named, chosen, ...accepted], offered[0] ?? defaultLanguage)
}
