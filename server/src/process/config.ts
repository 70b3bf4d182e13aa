import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { Email } from '@tillside/contract/wire/shapes'
import * as z from 'zod/mini'
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
const Seconds = z.pipe(
  z.pipe(z.string().check(z.regex(/^\d{1,3}$/)), z.transform(Number)),
  z.int().check(z.maximum(300)),
)
/** Addresses and networks, as `127.0.0.1, 10.0.0.0/8`. */
const Networks = z.pipe(
  z.pipe(
    z.string(),
    z.transform((list) => list.split(',').map((one) => one.trim())),
  ),
  z.array(z.string().check(z.refine(isNetwork))),
)

/** Where an API is, without a slash at the end. */
const Root = z.pipe(
  z.string().check(z.regex(/^https?:\/\/[^\s/?#@;,'"]+(\/[\w.~-]+)*\/?$/)),
  z.transform((root) => root.replace(/\/$/, '')),
)
/** As browsers name where a page came from, with commas between. */
const Origins = z.pipe(
  z.pipe(
    z.string(),
    z.transform((list) => list.split(',').map((one) => one.trim())),
  ),
  z.array(z.string().check(z.regex(/^https?:\/\/[a-z\d.-]+(:\d+)?$/))),
)

const ProgramAddress = z
  .string()
  .check(z.regex(/^postgres(ql)?:\/\/(?!.*[?&]pooler=(?!transaction(&|$)))./))

export const Variables = z.object({
  NODE_ENV: z._default(z.enum(['development', 'production', 'test']), 'development'),
  PORT: z._default(Port, 8080),
  HOST: z._default(z.string().check(z.minLength(1)), '127.0.0.1'),
  // The owner migrates, which no pooler may stand before.
  DATABASE_URL: z.optional(z.string().check(z.regex(/^postgres(ql)?:\/\/(?!.*[?&]pooler=)./))),
  DATABASE_APP_URL: z.optional(ProgramAddress),
  DATABASE_REPLICA_URL: z.optional(ProgramAddress),
  DATA_DIR: z._default(z.string().check(z.minLength(1)), './data'),
  ARCHIVE_DIR: z.optional(z.string().check(z.regex(/^[^'"\\%]+$/))),
  PORTAL_DIR: z._default(z.string().check(z.minLength(1)), './portal/dist'),
  DEMO: z.optional(Flag),
  JOBS: z._default(Flag, true),
  PROCESSES: z._default(Count, 1),
  METRICS_PORT: z.optional(Port),
  METRICS_HOST: z._default(z.string().check(z.minLength(1)), '127.0.0.1'),
  TRUST_PROXY: z._default(Networks, []),
  DRAIN_SECONDS: z._default(Seconds, 0),
  LOG_LEVEL: z._default(
    z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    'info',
  ),
  PUBLIC_URL: z.optional(z.string().check(z.regex(/^https?:\/\/[^\s/?#@]+\/?$/))),
  API_ROOT_QA: z.optional(Root),
  API_ROOT_UAT: z.optional(Root),
  API_ROOT_PRODUCTION: z.optional(Root),
  PORTAL_ORIGINS: z._default(Origins, []),
  SMTP_URL: z.optional(z.string().check(z.regex(/^smtps?:\/\/./))),
  SMTP_FROM: z.optional(Email),
  ...GatewayVariables.shape,
})

export type Config = {
  production: boolean
  port: number
  host: string
  /** Owner's address of a real server; absent: the embedded one in `dataDir`. */
  databaseUrl: string | undefined
  /** The program's own address, where the owner may not create roles. */
  databaseAppUrl: string | undefined
  /** A standby of it, for looks that may be a second old. */
  replicaUrl: string | undefined
  dataDir: string
  /** Where the embedded one keeps what a restore needs; null: it keeps nothing. */
  archiveDir: string | null
  /** A build of the portal. */
  portalDir: string
  demo: boolean
  /** How many processes answer on the port. */
  processes: number
  /** Whether this process also does what is due without anybody asking. */
  jobs: boolean
  /** Where whoever watches asks for metrics; null: nowhere. */
  metrics: { port: number; host: string } | null
  /** Who may say in X-Forwarded-For whom a request is from. */
  trustedProxies: string[]
  /** How long a server that stops still answers, not ready, so that balancers can leave it. */
  drainSeconds: number
  /** Where people reach this server, without a slash at the end; for links that are given out. */
  publicUrl: string
  /** Where portals find their API, by the environment; one that is absent: beside them. */
  apiRoots: Partial<Record<Environment, string>>
  /** Portals that are served apart from this API and may ask it. */
  portalOrigins: string[]
  /** The server that takes e-mail, and the address that it comes from; null: there is none. */
  mail: { url: string; from: string } | null
  /** Who takes short messages; null: nobody. */
  sms: Gateway | null
  logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent'
}

/**
 * Where the project stands; relative settings count from here, whatever folder the command ran in.
 */
export const projectRoot = resolve(import.meta.dirname, '../../..')

/**
 * Reads the environment once.
 * @throws Error with one line that names the variable and what was wrong with it
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const parsed = Variables.safeParse(set)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    throw new Error(
      `${issue?.path[0]?.toString()} is not a value that Tillside understands: ${issue?.message}`,
    )
  }
  const env = parsed.data
  const production = env.NODE_ENV === 'production'
  return {
    production,
    port: env.PORT,
    host: env.HOST,
    databaseUrl: env.DATABASE_URL,
    databaseAppUrl: env.DATABASE_APP_URL,
    replicaUrl: env.DATABASE_REPLICA_URL,
    dataDir: resolve(projectRoot, env.DATA_DIR),
    archiveDir: archiveOf(env),
    portalDir: resolve(projectRoot, env.PORTAL_DIR),
    demo: !production && (env.DEMO ?? true),
    processes: env.PROCESSES,
    jobs: env.JOBS,
    metrics:
      env.METRICS_PORT === undefined ? null : { port: env.METRICS_PORT, host: env.METRICS_HOST },
    trustedProxies: env.TRUST_PROXY,
    drainSeconds: env.DRAIN_SECONDS,
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
    throw new Error(
      'ARCHIVE_DIR is for the embedded PostgreSQL, and DATABASE_URL names another one',
    )
  return resolve(projectRoot, folder)
}

function isNetwork(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/')
  const family = isIP(address)
  if (family === 0 || more.length > 0) return false
  return (
    prefix === undefined ||
    (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128))
  )
}

/** What a browser on this machine calls the address that the server listens on. */
function ownName(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

function mailOf({ SMTP_URL: url, SMTP_FROM: from }: z.infer<typeof Variables>): Config['mail'] {
  if (url === undefined) return null
  if (from === undefined) throw new Error('SMTP_URL needs SMTP_FROM, the address that mail is from')
  return { url, from }
}
