import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { Email } from '@tillside/contract/wire/shapes'
import * as z from 'zod/mini'
import { allowedValues } from './allowed-values.ts'
import type { Environment } from './environment.ts'
import { type Gateway, GatewayVariables, gatewayOf } from './gateway.ts'

const Port = z.pipe(
  z.pipe(z.string().check(z.regex(/^\d{1,5}$/)), z.transform(Number)),
  z.int().check(z.maximum(65_535)),
)
const Flag = z.pipe(
  z.enum(['0', '1']),
  z.transform((s) => s === '1'),
)

const Count = z.pipe(
  z.pipe(z.string().check(z.regex(/^\d{1,2}$/)), z.transform(Number)),
  z.int().check(z.minimum(1), z.maximum(64)),
)
const Rate = z.pipe(
  z.pipe(z.string().check(z.regex(/^\d{1,9}$/)), z.transform(Number)),
  z.int().check(z.minimum(1)),
)
const Seconds = z.pipe(
  z.pipe(z.string().check(z.regex(/^\d{1,3}$/)), z.transform(Number)),
  z.int().check(z.maximum(300)),
)
/** IP addresses and networks, as `127.0.0.1, 10.0.0.0/8`. */
const Networks = z.pipe(
  z.pipe(
    z.string(),
    z.transform((list) => list.split(',').map((one) => one.trim())),
  ),
  z.array(z.string().check(z.refine(isNetwork))),
)

/** An API's base URL, without a slash at the end. */
const Root = z.pipe(
  z.string().check(z.regex(/^https?:\/\/[^\s/?#@;,'"]+(\/[\w.~-]+)*\/?$/)),
  z.transform((root) => root.replace(/\/$/, '')),
)
/** Origins as browsers send them, separated by commas. */
const Origins = z.pipe(
  z.pipe(
    z.string(),
    z.transform((list) => list.split(',').map((one) => one.trim())),
  ),
  z.array(z.string().check(z.regex(/^https?:\/\/[a-z\d.-]+(:\d+)?$/))),
)

const ProgramAddress = z.string().check(
  z.regex(/^postgres(ql)?:\/\/(?!.*[?&]pooler=(?!transaction(&|$)))./),
  z.refine((url) => URL.canParse(url)),
)

export const Variables = z.object({
  NODE_ENV: z._default(z.enum(['development', 'production', 'test']), 'development'),
  PORT: z._default(Port, 8080),
  HOST: z._default(z.string().check(z.minLength(1)), '127.0.0.1'),
  // The owner runs migrations, which do not work through a pooler.
  DATABASE_URL: z.optional(
    z.string().check(
      z.regex(/^postgres(ql)?:\/\/(?!.*[?&]pooler=)./),
      z.refine((url) => URL.canParse(url)),
    ),
  ),
  DATABASE_APP_URL: z.optional(ProgramAddress),
  DATABASE_REPLICA_URL: z.optional(ProgramAddress),
  DATA_DIR: z._default(z.string().check(z.minLength(1)), './data'),
  ARCHIVE_DIR: z.optional(z.string().check(z.regex(/^[^'"\\%]+$/))),
  PORTAL_DIR: z._default(z.string().check(z.minLength(1)), './portal/dist'),
  DEMO: z.optional(Flag),
  JOBS: z._default(Flag, true),
  REMEMBER_SESSIONS: z._default(Flag, true),
  PROCESSES: z._default(Count, 1),
  ONE_ROUND_TRIP: z._default(Flag, true),
  METRICS_PORT: z.optional(Port),
  METRICS_HOST: z._default(z.string().check(z.minLength(1)), '127.0.0.1'),
  TRUST_PROXY: z._default(Networks, []),
  DRAIN_SECONDS: z._default(Seconds, 0),
  KEY_REQUESTS_PER_MINUTE: z._default(Rate, 12_000),
  LOG_LEVEL: z._default(
    z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    'info',
  ),
  PUBLIC_URL: z.optional(z.string().check(z.regex(/^https?:\/\/[^\s/?#@]+\/?$/))),
  API_ROOT_QA: z.optional(Root),
  API_ROOT_UAT: z.optional(Root),
  API_ROOT_PRODUCTION: z.optional(Root),
  PORTAL_ORIGINS: z._default(Origins, []),
  // Read by process/author.ts.
  TILLSIDE_BY: z.optional(z.string().check(z.maxLength(100))),
  SMTP_URL: z.optional(z.string().check(z.regex(/^smtps?:\/\/./))),
  SMTP_FROM: z.optional(Email),
  ...GatewayVariables.shape,
})

const allowed: Readonly<Record<keyof z.infer<typeof Variables>, string>> = allowedValues

export type Config = {
  production: boolean
  /** Whether pages for developers exist. */
  development: boolean
  port: number
  host: string
  /** Connection URL of the owner; absent: the embedded server in `dataDir`. */
  databaseUrl: string | undefined
  /** Connection URL of the program's own role, where the owner may not create roles. */
  databaseAppUrl: string | undefined
  /** Connection URL of a standby, for queries that may see data up to a second old. */
  replicaUrl: string | undefined
  dataDir: string
  /** Whether the environment names a database, so that it is not only the default folder. */
  isDatabaseNamed: boolean
  /** Archive of the embedded server for restores; null: no archive. */
  archiveDir: string | null
  /** The folder of the portal's build. */
  portalDir: string
  demo: boolean
  /** The number of processes that listen on the port. */
  processes: number
  /** Whether this process runs background jobs. */
  jobs: boolean
  /** Whether a change is one call of a database function where it can be. */
  oneRoundTrip: boolean
  /** Whether a process remembers sessions, which each request then only confirms. */
  remembersSessions: boolean
  /** The address of the metrics endpoint; null: none. */
  metrics: { port: number; host: string } | null
  /** Proxies whose X-Forwarded-For header is trusted. */
  trustedProxies: string[]
  /**
   * Seconds for which a stopping server still answers, but is not ready, so that load balancers can
   * leave it.
   */
  drainSeconds: number
  /** The requests of one API key that each process answers in a minute: 200 a second. */
  requestsPerMinute: number
  /** This server's public URL, without a slash at the end, for links. */
  publicUrl: string
  /** The API's base URL by environment; absent: the portal's own origin. */
  apiRoots: Partial<Record<Environment, string>>
  /** Origins of portals on other servers that may call this API. */
  portalOrigins: string[]
  /** The SMTP server and the sender's address; null: none. */
  mail: { url: string; from: string } | null
  /** The gateway for short messages; null: none. */
  sms: Gateway | null
  logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent'
}

/**
 * The project's root folder. Relative settings are resolved from here, not from the working
 * directory.
 */
export const projectRoot = resolve(import.meta.dirname, '../../..')

/**
 * Reads the environment once.
 * @throws Error with one line that names the variable and the values that it may have
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const parsed = Variables.safeParse(set)
  if (!parsed.success) {
    const wrong = parsed.error.issues[0]?.path[0]
    const [name, values] = Object.entries(allowed).find(([known]) => known === wrong) ?? []
    throw new Error(`${name} is not a valid value: it must be ${values}`)
  }
  const env = parsed.data
  const production = env.NODE_ENV === 'production'
  return {
    production,
    development: env.NODE_ENV === 'development',
    port: env.PORT,
    host: env.HOST,
    databaseUrl: env.DATABASE_URL,
    databaseAppUrl: env.DATABASE_APP_URL,
    replicaUrl: env.DATABASE_REPLICA_URL,
    dataDir: resolve(projectRoot, env.DATA_DIR),
    isDatabaseNamed: (set['DATABASE_URL'] ?? set['DATA_DIR']) !== undefined,
    archiveDir: archiveOf(env),
    portalDir: resolve(projectRoot, env.PORTAL_DIR),
    demo: !production && (env.DEMO ?? true),
    processes: env.PROCESSES,
    jobs: env.JOBS,
    oneRoundTrip: env.ONE_ROUND_TRIP,
    remembersSessions: env.REMEMBER_SESSIONS,
    metrics:
      env.METRICS_PORT === undefined ? null : { port: env.METRICS_PORT, host: env.METRICS_HOST },
    trustedProxies: env.TRUST_PROXY,
    drainSeconds: env.DRAIN_SECONDS,
    requestsPerMinute: env.KEY_REQUESTS_PER_MINUTE,
    publicUrl: env.PUBLIC_URL?.replace(/\/$/, '') ?? `http://${ownName(env.HOST)}:${env.PORT}`,
    apiRoots: {
      ...(env.API_ROOT_QA === undefined ? {} : { qa: env.API_ROOT_QA }),
      ...(env.API_ROOT_UAT === undefined ? {} : { uat: env.API_ROOT_UAT }),
      ...(env.API_ROOT_PRODUCTION === undefined ? {} : { production: env.API_ROOT_PRODUCTION }),
    },
    portalOrigins: env.PORTAL_ORIGINS,
    mail: mailOf(env),
    sms: gatewayOf(env),
    logLevel: env.LOG_LEVEL,
  }
}

function archiveOf({ ARCHIVE_DIR: folder, DATABASE_URL: url }: z.infer<typeof Variables>) {
  if (folder === undefined) return null
  if (url !== undefined)
    throw new Error('ARCHIVE_DIR is only for the embedded PostgreSQL, but DATABASE_URL is set')
  return resolve(projectRoot, folder)
}

function isNetwork(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/')
  const family = isIP(address)
  if (family === 0 || more.length > 0) return false
  return (
    prefix === undefined ||
    (/^\d{1,3}$/.test(prefix) && Number(prefix) >= 1 && Number(prefix) <= (family === 4 ? 32 : 128))
  )
}

/** The host name under which a browser on this machine reaches the listening address. */
function ownName(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

function mailOf({ SMTP_URL: url, SMTP_FROM: from }: z.infer<typeof Variables>): Config['mail'] {
  if (url === undefined) return null
  if (from === undefined) throw new Error('SMTP_URL needs SMTP_FROM, the sender’s address')
  return { url, from }
}
