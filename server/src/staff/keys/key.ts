import { hash as digest, randomBytes } from 'node:crypto'
import { type Scope, Scope as ScopeSchema } from '@tillside/contract/integration/endpoint'
import * as z from 'zod/mini'
import { changeEpoch } from '../../company/epoch.ts'
import { writeAudit } from '../../database/audit.ts'
import { addKeyAccount } from '../accounts.ts'
import { type CallerSource, type Holders, openHolders, type ReadHolder } from '../held.ts'
import { statement, type Transaction } from '../../database/database.ts'
import { bytesOfId, idOfBytes, idOfHash, newId } from '../../values/id.ts'
import type { KeyHolder, KeyToken } from '../../http/keys/serve-key.ts'
import { nowSql, todaySql } from '../../database/reads/today.ts'

// An API key is a fixed prefix that people and secret scanners recognise, `test_` for a practice
// company, the company's id and 256 random bits. The id is not secret: it selects the company for
// row-level security. The database stores only the hash of the key.

const mark = 'tillside_'
const testMark = 'tillside_test_'

// Each column of a key and of its company changes the epoch.
export const findKey = statement(
  `select c.company_id, c.identifier, c.revision, c.time_zone, k.key_id, k.name, k.scopes,
     k.store_codes, c.practice, c.clock_ahead::text as clock_ahead, e.epoch, ${nowSql('c')} as now,
     ${todaySql('c')} as today
   from api_key k join company c using (company_id) left join session_epoch e using (company_id)
   where k.company_id = $1 and k.key_hash = $2 and k.revoked_at is null`,
  z.object({
    company_id: z.string(),
    identifier: z.string(),
    revision: z.int(),
    time_zone: z.string(),
    key_id: z.string(),
    name: z.string(),
    scopes: z.array(ScopeSchema),
    store_codes: z.nullable(z.array(z.string())),
    practice: z.boolean(),
    clock_ahead: z.string(),
    epoch: z.nullable(z.string()),
    now: z.string(),
    today: z.string(),
  }),
)
const insertKey = statement(
  `insert into api_key (company_id, key_id, name, key_hash, scopes, store_codes, staff_id)
   values ($1, $2, $3, $4, $5, $6, $7)`,
  z.unknown(),
)
const readPractice = statement(
  'select practice from company where company_id = $1',
  z.object({ practice: z.boolean() }),
)
// Inactive stores too: a till may send receipts late.
const readStores = statement(
  'select store_code, name, active from store where company_id = $1',
  z.object({ store_code: z.string(), name: z.string(), active: z.boolean() }),
)
const findStores = statement(
  'select store_code from store where company_id = $1 and store_code = any ($2)',
  z.object({ store_code: z.string() }),
)
const revoke = statement(
  `update api_key set revoked_at = now()
   where company_id = $1 and key_id = $2 and revoked_at is null`,
  z.unknown(),
)
const readKeys = statement(
  `select key_id, name, scopes, store_codes, created_at, revoked_at from api_key
   where company_id = $1 order by created_at, key_id`,
  z.object({
    key_id: z.string(),
    name: z.string(),
    scopes: z.array(z.string()),
    store_codes: z.nullable(z.array(z.string())),
    created_at: z.string(),
    revoked_at: z.nullable(z.string()),
  }),
)

/** Reads `Bearer …`; null if it does not have the form of an API key. */
export function readKey(authorization: string | undefined): KeyToken | null {
  const text = /^Bearer tillside_(?:test_)?([\w-]{64})$/i.exec(authorization ?? '')?.[1]
  if (text === undefined) return null
  const key = Buffer.from(text, 'base64url')
  const hash = hashOf(key)
  return { companyId: idOfBytes(key.subarray(0, 16)), staffId: idOfHash(hash), hash }
}

/**
 * The API keys that one process knows, as `openHolders` knows sessions. A revoked key stops working
 * with the next request.
 */
export function openKeys(isOn: boolean, count: (source: CallerSource) => void): Holders<KeyHolder> {
  return openHolders('key', isOn, count, readHolder)
}

async function readHolder(tx: Transaction, key: KeyToken): Promise<ReadHolder<KeyHolder> | null> {
  // The stores after the epoch: if one of them changes in between, the epoch is an old one.
  const [row, stores] = await Promise.all([
    tx.maybe(findKey, [key.companyId, key.hash]),
    tx.all(readStores, [key.companyId]),
  ])
  if (row === null) return null
  const caller: KeyHolder = {
    company: {
      id: row.company_id,
      identifier: row.identifier,
      revision: row.revision,
      timeZone: row.time_zone,
      isPractice: row.practice,
      stores: new Map(
        stores.map(({ store_code: code, name, active }) => [code, { code, name, active }]),
      ),
    },
    key: {
      id: row.key_id,
      name: row.name,
      hash: key.hash,
      account: { id: key.staffId, account: accountNameOf(row.key_id) },
      scopes: new Set(row.scopes),
      stores: row.store_codes === null ? null : new Set(row.store_codes),
    },
    now: row.now,
    today: row.today,
  }
  return { caller, version: null, epoch: row.epoch, clockAhead: row.clock_ahead }
}

export type KeyTerms = { name: string; scopes: readonly Scope[]; stores: readonly string[] | null }

/**
 * Creates an API key. The key is returned only here.
 * @param stores null: valid for every store
 * @throws Error when the company has no such store
 */
export async function createKey(
  tx: Transaction,
  companyId: string,
  { name, scopes, stores }: KeyTerms,
): Promise<{ keyId: string; key: string }> {
  const known = stores === null ? [] : await tx.all(findStores, [companyId, stores])
  const codes = new Set(known.map((row) => row.store_code))
  const unknown = stores?.find((store) => !codes.has(store))
  if (unknown !== undefined) throw new Error(`there is no store "${unknown}"`)
  const keyId = newId()
  const bytes = Buffer.concat([bytesOfId(companyId), randomBytes(32)])
  const hash = hashOf(bytes)
  const staffId = idOfHash(hash)
  await addKeyAccount(tx, companyId, { staffId, account: accountNameOf(keyId), name })
  await tx.run(insertKey, [companyId, keyId, name, hash, scopes, stores, staffId])
  const details = { keyId, name, scopes: scopes.join(' '), stores: stores?.join(' ') ?? null }
  audit(tx, companyId, 'key.create', details)
  const { practice } = await tx.one(readPractice, [companyId])
  return { keyId, key: (practice ? testMark : mark) + bytes.toString('base64url') }
}

/**
 * Revokes an API key: its next request gets 401, on every server process.
 * @throws Error when there is no such active key
 */
export async function revokeKey(tx: Transaction, companyId: string, keyId: string): Promise<void> {
  if ((await tx.run(revoke, [companyId, keyId])) === 0) {
    throw new Error(`there is no active API key "${keyId}"`)
  }
  changeEpoch(tx, companyId)
  audit(tx, companyId, 'key.revoke', { keyId })
}

/** All API keys, revoked ones included, oldest first. */
export function listKeys(tx: Transaction, companyId: string) {
  return tx.all(readKeys, [companyId])
}

function audit(
  tx: Transaction,
  companyId: string,
  action: string,
  details: Record<string, string | null>,
): void {
  const actor = { company: { id: companyId }, staff: null, store: null }
  writeAudit(tx, actor, 'command', { action, memberId: null, details })
}

// A clerk's account has no space, so no account of a key is one of a clerk.
function accountNameOf(keyId: string): string {
  return `key ${keyId}`
}

function hashOf(key: Buffer): Buffer {
  return digest('sha256', key, 'buffer')
}
