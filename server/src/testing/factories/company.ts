import { randomBytes, randomUUID } from 'node:crypto'
import { basePath, type Data, type Endpoint, Envelope } from '@tillside/contract/wire/endpoint'
import { login } from '@tillside/contract/auth'
import type { FastifyInstance } from 'fastify'
import pino from 'pino'
import { inject } from 'vitest'
import * as z from 'zod/mini'
import { createApp } from '../../app.ts'
import type { Definition } from '../../company/definition.ts'
import { findCompanyId } from '../../company/find.ts'
import { type Database, openDatabase } from '../../database/database.ts'
import { applyCompany } from '../../setup/apply.ts'
import { addStaff } from '../../staff/accounts.ts'
import type { AtOnce } from '../../http/request.ts'
import { quickHash } from '../quick-hash.ts'
import { testDefinition } from './definition.ts'
import { queryOf } from '../query.ts'

export const password = 'Counter#2026'
const passwordHash = quickHash(password)

/** A company for one test, with a server in front of it. */
export type TestCompany = {
  id: string
  identifier: string
  database: Database
  app: FastifyInstance
  close(): Promise<void>
}

/** Projects of vitest.config.ts run tests with the other settings. */
export const shortcuts = {
  remembersSessions: process.env['REMEMBER_SESSIONS'] !== '0',
  oneRoundTrip: process.env['ONE_ROUND_TRIP'] !== '0',
}

/** Whether a change may take one round trip. It needs the memory of sessions. */
export const takesOneRoundTrip = shortcuts.oneRoundTrip && shortcuts.remembersSessions

const logo = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"></svg>'

/**
 * Creates a company with the accounts amy (all permissions, store S1), ben (view only, S1), cleo
 * (all permissions, the inactive store S9) and dan (no menus, S1).
 */
export async function testCompany(
  changes: Partial<z.input<typeof Definition>> = {},
  at: string | Database = sharedDatabase(),
  countAtOnce: AtOnce['count'] = () => {},
): Promise<TestCompany> {
  const database = typeof at === 'string' ? openDatabase(at) : at
  const identifier = `test-${randomBytes(6).toString('hex')}`
  const definition = testDefinition(identifier, changes)
  await applyCompany(database, { definition, logo, checksum: identifier })
  const id = await findCompanyId(database, identifier)
  if (id === null) throw new Error('the test company was not made')
  await database.transaction(id, async (tx) => {
    for (const [account, groupCode, storeCode] of [
      ['amy', 'full', 'S1'],
      ['ben', 'viewer', 'S1'],
      ['cleo', 'full', 'S9'],
      ['dan', 'empty', 'S1'],
    ] as const) {
      const [firstName, lastName] = [account, 'Test']
      await addStaff(tx, id, { account, firstName, lastName, groupCode, storeCode, passwordHash })
    }
  })
  const log = pino({ level: 'silent' })
  const app = await createApp(database, log, { ...shortcuts, countAtOnce })
  return {
    id,
    identifier,
    database,
    app,
    async close() {
      await app.close()
      if (!shared.has(database)) await database.close()
    },
  }
}

const shared = new Set<Database>()
const byUrl = new Map<string, Database>()

/**
 * The connection pool that the test files of a worker share. PostgreSQL plans each statement again
 * for each new connection, which takes longer than most tests.
 */
function sharedDatabase(): Database {
  const url = inject('databaseUrl')
  const database = byUrl.get(url) ?? openDatabase(url)
  byUrl.set(url, database)
  shared.add(database)
  return database
}

/** The answer to a call, with its envelope parsed. */
export type Answer = { status: number; code: number; message: string; data: unknown }

export type CallOptions = {
  token?: string
  language?: string
  key?: string | null
  headers?: Record<string, string>
  /** The client's network address. */
  client?: string
}

const addresses = new WeakMap<FastifyInstance, string>()

/**
 * The client's address for a server under test. Each has its own, because login attempts of an
 * address are counted for all companies of the database together.
 */
export function clientOf(app: FastifyInstance): string {
  const known = addresses.get(app) ?? `10.${[...randomBytes(3)].join('.')}`
  addresses.set(app, known)
  return known
}

/**
 * Calls an endpoint over HTTP as the portal does. Sends a new Idempotency-Key unless `key` is
 * given.
 */
export async function call(
  { app }: Pick<TestCompany, 'app'>,
  endpoint: Endpoint,
  input: unknown = {},
  { token, language, key = randomUUID(), headers = {}, client = clientOf(app) }: CallOptions = {},
): Promise<Answer> {
  const query = endpoint.method === 'GET' ? `?${queryOf(input)}` : ''
  const response = await app.inject({
    method: endpoint.method,
    url: `${basePath}${endpoint.path}${query}`,
    remoteAddress: client,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(language === undefined ? {} : { 'user-language': language }),
      ...(endpoint.needsKey && key !== null ? { 'idempotency-key': key } : {}),
      ...(endpoint.method === 'POST' ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(endpoint.method === 'POST' ? { payload: JSON.stringify(input) } : {}),
  })
  return { status: response.statusCode, ...Envelope.parse(response.json()) }
}

/** Calls an endpoint and returns its data. @throws Error if the call is refused */
export async function ok<E extends Endpoint>(
  company: Pick<TestCompany, 'app'>,
  endpoint: E,
  input: unknown,
  options: CallOptions = {},
): Promise<Data<E>> {
  return dataOf(endpoint, await call(company, endpoint, input, options))
}

/** The data of an endpoint's answer. @throws Error if the call was refused */
export function dataOf<E extends Endpoint>(endpoint: E, answer: Answer): Data<E> {
  if (answer.code !== 0)
    throw new Error(`${endpoint.path} answered ${answer.code} ${answer.message}`)
  return z.parse<E['data']>(endpoint.data, answer.data)
}

/** Logs in and returns the token. */
export async function logIn(company: TestCompany, account = 'amy'): Promise<string> {
  const { identifier } = company
  const info = await ok(company, login, { identifier, account, password })
  return info.token
}
