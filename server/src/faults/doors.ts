import { login } from '@tillside/contract/auth'
import { type IntegrationEndpoint, integrationBase } from '@tillside/contract/integration/endpoint'
import { basePath, type Endpoint } from '@tillside/contract/wire/endpoint'
import * as z from 'zod/mini'
import { password } from '../testing/factories/company.ts'
import { testKey } from '../testing/factories/key.ts'
import type { Shop } from '../testing/factories/shop.ts'
import {
  countsAtOnce,
  post,
  sendUntilAnswered,
  type ServerProcess,
} from '../testing/servers/process.ts'

// Two server processes that differ, on one database.

/** A server process where a clerk has logged in, and a till with a key of its own. */
export type Door = { address: string; token: string; key: string; server: ServerProcess }

/** Waits for a server, and logs in there. */
export async function openDoor(server: ServerProcess, shop: Shop): Promise<Door> {
  const address = await server.ready
  const input = { identifier: shop.identifier, account: 'amy', password }
  const { data } = await post(address, login, input)
  const { token } = z.object({ token: z.string() }).parse(data)
  return { address, token, key: (await testKey(shop)).key, server }
}

type Sent = { door: Door; endpoint: Endpoint; key: string; input: object; language?: string }

/** The bytes of an answer to a clerk. */
export function send({ door, endpoint, key, input, language = 'en-US' }: Sent): Promise<string> {
  const headers = {
    authorization: `Bearer ${door.token}`,
    'idempotency-key': key,
    'user-language': language,
  }
  return bytesOf(door.address + basePath + endpoint.path, headers, input)
}

/** The bytes of an answer to a till. */
export function sendAsTill(
  { address, key }: Door,
  { path }: IntegrationEndpoint,
  input: object,
): Promise<string> {
  return bytesOf(address + integrationBase + path, { authorization: `Bearer ${key}` }, input)
}

async function bytesOf(
  url: string,
  headers: Record<string, string>,
  input: object,
): Promise<string> {
  const response = await sendUntilAnswered(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(input),
  })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${url}: ${response.status} ${text}`)
  return text
}

/** How often a process has answered a path in one round trip, by its metrics. */
export async function answeredAtOnce(
  { server }: Door,
  { path }: { path: string },
): Promise<number> {
  return (await countsAtOnce([server])).get(path) ?? 0
}
