import { hash as digest } from 'node:crypto'
import {
  type Counter,
  type IntegrationEndpoint,
  storeHeader,
} from '@tillside/contract/integration/endpoint'
import { failures } from '@tillside/contract/wire/failures'
import { type Envelope, idempotencyHeader } from '@tillside/contract/wire/endpoint'
import { permissions } from '@tillside/contract/wire/permissions'
import * as z from 'zod/mini'
import type { Caller } from '../../database/context.ts'
import type { Transaction } from '../../database/database.ts'
import { KeyRefusal, refuse } from '../../text/fail.ts'
import { invalidField } from '../../text/invalid.ts'
import { idOfHash } from '../../values/id.ts'
import {
  answerRefusals,
  type Call,
  type Dependencies,
  headerOf,
  languageOf,
  refuseInvalid,
  type Route,
  type SessionMemory,
} from '../request.ts'
import { openCursor, sealCursor } from './cursor.ts'
import { versionOfEtag } from './etag.ts'
import {
  type HeldKey,
  holderIn,
  type KeyDependencies,
  type KeyHolder,
  type KeyMemory,
  type KeyRoute,
  type KeyToken,
  keyTokenOf,
} from './serve-key.ts'

// A call of an API key that a verb of the counter answers: the key's account takes the clerk's
// place, and the rest is the counter's own route.

const everyPermission = new Set(permissions)

/** Serves an endpoint whose verb the counter has, by the counter's route. */
export function serveCounter(
  endpoint: IntegrationEndpoint & { counter: Counter },
  route: Route,
): KeyRoute {
  const { shape } = endpoint.counter
  return {
    endpoint,
    async answer(dependencies, call) {
      const token = keyTokenOf(dependencies, call)
      const language = languageOf(call)
      const asSystem = systemOf(dependencies, endpoint, token, call)
      const raw = shape === 'changes' ? withVersion(call) : call.input
      const parsed = endpoint.input.safeParse(raw)
      const list = listOf(endpoint, raw)
      const after = shape === 'page' ? afterOf(raw) : undefined
      const cursor = after === undefined ? undefined : openCursor(after, token.hash, list)
      if (!parsed.success || cursor === null) {
        return answerRefusals(language, () =>
          dependencies.database.reading(token.companyId, async (tx) => {
            await asSystem.authenticate(tx)
            if (parsed.success) return refuse('invalid', invalidField('after', 'format', language))
            return refuseInvalid(parsed.error, { ...call, input: raw }, language)
          }),
        )
      }
      const key = headerOf(call, idempotencyHeader)
      const envelope = await route.answer(asSystem, {
        ...call,
        headers: { ...call.headers, [idempotencyHeader]: key && operationIdOf(key) },
        input: counterInput[shape](asObject(parsed.data), cursor),
        waits: false,
      })
      return ownNames(envelope, (next) => sealCursor(next, token.hash, list))
    },
  }
}

/** The dependencies of the counter's route, with the key's account in the place of the clerk. */
function systemOf(
  dependencies: Dependencies & KeyDependencies,
  endpoint: IntegrationEndpoint & { counter: Counter },
  token: KeyToken,
  call: Call,
) {
  const { keyMemory } = dependencies
  return {
    ...dependencies,
    // A system that has just changed something reads it at once.
    replica: undefined,
    memory: keyMemory && memoryOf(keyMemory, endpoint, call),
    readToken: () => token,
    async authenticate(tx: Transaction): Promise<Caller> {
      const holder = await holderIn(dependencies, tx, token)
      if (!holder.key.scopes.has(endpoint.scope)) refuse('noPermission')
      const key = headerOf(call, idempotencyHeader)
      if (endpoint.counter.endpoint.needsKey && !isOperationKey(key)) {
        throw new KeyRefusal('keyRequired')
      }
      return callerOf(holder, storeOf(holder, headerOf(call, storeHeader)))
    },
  }
}

/**
 * The key's memory as one of sessions. It recalls nothing that would be refused, so that a refusal
 * is always one of the key as the database has it.
 */
function memoryOf(
  memory: KeyMemory,
  endpoint: IntegrationEndpoint & { counter: Counter },
  call: Call,
): SessionMemory {
  let known: HeldKey | null = null
  const named = headerOf(call, storeHeader)
  const isMissing =
    endpoint.counter.endpoint.needsKey && !isOperationKey(headerOf(call, idempotencyHeader))
  return {
    recall(token) {
      known = memory.recall(token)
      if (known === null || isMissing || !known.caller.key.scopes.has(endpoint.scope)) return null
      const store = findStore(known.caller, named)
      return typeof store === 'string' ? null : { ...known, caller: callerOf(known.caller, store) }
    },
    admit: async () => known !== null && (memory.admit === undefined || memory.admit(known)),
    async confirm(tx, token) {
      const holder = known && (await memory.confirm(tx, token, known))
      return holder && callerOf(holder, storeOf(holder, named))
    },
  }
}

function callerOf({ company, key, now, today }: KeyHolder, store: Caller['store']): Caller {
  return {
    company,
    staff: { ...key.account, firstName: key.name, lastName: '' },
    isSystem: true,
    store,
    group: { code: '', permissionVersion: 0, menus: [] },
    // The scopes decide what a key may do, not the permissions of a clerk.
    hasMemberModule: true,
    permissions: everyPermission,
    seenPermissionVersion: 0,
    now,
    today,
  }
}

/**
 * The store in which the key acts: the one that the header names, or the key's only one.
 * @throws KeyRefusal
 */
function storeOf(holder: KeyHolder, named: string | undefined): Caller['store'] {
  const store = findStore(holder, named)
  if (typeof store === 'string') throw new KeyRefusal(store)
  return store
}

/** The same store, or the problem that there is with it. */
function findStore({ company, key }: KeyHolder, named: string | undefined) {
  const code = named ?? (key.stores?.size === 1 ? [...key.stores][0] : undefined)
  if (code === undefined) return 'storeRequired'
  const store = company.stores.get(code)
  if (store === undefined) return 'storeUnknown'
  if (key.stores !== null && !key.stores.has(code)) return 'storeNotAllowed'
  if (!store.active) return 'storeClosed'
  return { code, name: store.name }
}

/** By draft-ietf-httpapi-idempotency-key-header: any text, here of visible ASCII characters. */
function isOperationKey(key: string | undefined): boolean {
  return key !== undefined && /^[\x21-\x7e]{1,255}$/.test(key)
}

/** The counter's operations have UUIDs. */
function operationIdOf(key: string): string {
  return idOfHash(digest('sha256', key, 'buffer'))
}

type Fields = Record<string, unknown>

const counterInput: Record<Counter['shape'], (input: Fields, cursor?: string) => Fields> = {
  same: (input) => input,
  page: ({ after: _after, limit, ...rest }, cursor) => ({
    ...rest,
    pageSize: limit,
    ...(cursor === undefined ? {} : { cursor }),
  }),
  changes: ({ memberCode, version, ...changes }) => ({ memberCode, version, changes }),
}

const Invalid = z.object({ fields: z.array(z.looseObject({ path: z.string() })) })
const Page = z.looseObject({ nextCursor: z.nullable(z.string()) })

/** The counter's answer, with the names of the key's interface. */
function ownNames(envelope: Envelope, seal: (cursor: string) => string): Envelope {
  const page = Page.safeParse(envelope.data)
  if (envelope.code === 0 && page.success) {
    const { nextCursor, ...rest } = page.data
    return { ...envelope, data: { ...rest, next: nextCursor && seal(nextCursor) } }
  }
  if (envelope.code !== failures.invalid.code) return envelope
  const { fields } = Invalid.parse(envelope.data)
  for (const field of fields) field.path = ownPath(field.path)
  return { ...envelope, data: { fields } }
}

function ownPath(path: string): string {
  if (path === 'cursor') return 'after'
  return path === 'pageSize' ? 'limit' : path.replace(/^changes\./, '')
}

/** The body, with the version that the header `If-Match` names unless the body has its own. */
function withVersion(call: Call): unknown {
  const version = versionOfEtag(headerOf(call, 'if-match'))
  return version === null ? call.input : { version, ...asObject(call.input) }
}

/** The list to which a cursor belongs: the path with its ids. */
function listOf({ path }: IntegrationEndpoint, input: unknown): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(asObject(input)[name]))
}

function afterOf(input: unknown): string | undefined {
  const { after } = asObject(input)
  return typeof after === 'string' ? after.trim() : undefined
}

function asObject(value: unknown): Fields {
  const parsed = z.record(z.string(), z.unknown()).safeParse(value)
  return parsed.success ? parsed.data : {}
}
