import { Scope, scopes } from '@tillside/contract/integration'
import { text } from '@tillside/contract/wire/shapes'
import { type Command, Option } from 'commander'
import * as z from 'zod/mini'
import { companyNamed } from '../company/find.ts'
import { columns, jsonCommand, print, withDatabase } from '../database/command.ts'
import type { Transaction } from '../database/database.ts'
import { createKey, listKeys, revokeKey } from './key.ts'

type CreateOptions = { name: string; scope: string[]; store?: string[]; json?: boolean }

/** `tillside key …` */
export function registerKeys(program: Command): void {
  const key = program.command('key').description('keys of tills, web shops and other systems')
  jsonCommand(key, 'create <company>', 'make a key; it is shown this once')
    .requiredOption('--name <text>', 'what it is for')
    .addOption(
      new Option('--scope <scope...>', 'what it may do').choices(scopes).makeOptionMandatory(),
    )
    .option('--store <code...>', 'the stores that it may speak for (default: every store)')
    .action(create)
  jsonCommand(key, 'revoke <company> <key-id>', 'end a key at once').action(
    async (company: string, keyId: string, { json }: { json?: boolean }) => {
      if (!z.uuid().safeParse(keyId).success) throw new Error(`"${keyId}" is not a key id`)
      await inCompany(company, (tx, id) => revokeKey(tx, id, keyId))
      print(json, { company, keyId, revoked: true }, [`${keyId} of ${company} is revoked`])
    },
  )
  jsonCommand(key, 'list <company>', 'list the keys').action(
    async (company: string, { json }: { json?: boolean }) => {
      const rows = await inCompany(company, listKeys)
      const answer = rows.map((row) => ({
        keyId: row.key_id,
        name: row.name,
        scopes: row.scopes,
        stores: row.store_codes,
        createdAt: row.created_at,
        revokedAt: row.revoked_at,
      }))
      const lines = answer.map((k) => [
        k.keyId,
        k.name,
        k.scopes.join(' '),
        k.stores?.join(' ') ?? 'every store',
        k.revokedAt === null ? 'works' : `revoked ${k.revokedAt.slice(0, 10)}`,
      ])
      const head = ['KEY ID', 'NAME', 'SCOPES', 'STORES', 'STATE']
      print(json, answer, lines.length === 0 ? [] : columns([head, ...lines]))
    },
  )
}

async function create(company: string, options: CreateOptions): Promise<void> {
  const name = text(100).safeParse(options.name)
  if (!name.success) throw new Error('--name takes a text of at most 100 characters')
  const terms = {
    name: name.data,
    scopes: z.array(Scope).parse([...new Set(options.scope)]),
    stores: options.store === undefined ? null : [...new Set(options.store)],
  }
  const made = await inCompany(company, (tx, id) => createKey(tx, id, terms))
  print(options.json, { company, ...terms, ...made }, [
    `key ${made.keyId} of ${company} is made; it is shown this once:`,
    made.key,
  ])
}

function inCompany<T>(
  identifier: string,
  work: (tx: Transaction, companyId: string) => Promise<T>,
): Promise<T> {
  return withDatabase(async ({ database }) => {
    const id = await companyNamed(database, identifier)
    return database.transaction(id, (tx) => work(tx, id))
  })
}
