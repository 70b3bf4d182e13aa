import { Scope, scopes } from '@tillside/contract/integration/endpoint'
import { text } from '@tillside/contract/wire/shapes'
import { type Command, Option } from 'commander'
import * as z from 'zod/mini'
import { inCompany } from '../company/find.ts'
import { actCommand, columns, jsonCommand, print } from '../database/command.ts'
import type { ActOptions } from '../process/author.ts'
import { createKey, listKeys, revokeKey } from '../staff/keys/key.ts'

type CreateOptions = ActOptions & { name: string; scope: string[]; store?: string[] }

/** `tillside key …` */
export function registerKeys(program: Command): void {
  const key = program
    .command('key')
    .description('Manage API keys of tills, web shops and other systems')
  actCommand(key, 'create <company>', 'Create an API key; it is shown only once')
    .requiredOption('--name <text>', 'purpose of the key')
    .addOption(
      new Option('--scope <scope...>', 'permissions of the key')
        .choices(scopes)
        .makeOptionMandatory(),
    )
    .option('--store <code...>', 'stores that the key may act for (default: every store)')
    .action(create)
  actCommand(
    key,
    'revoke <company> <key-id>',
    'Revoke an API key; it stops working at once',
  ).action(async (company: string, keyId: string, options: ActOptions) => {
    if (!z.uuid().safeParse(keyId).success) throw new Error(`"${keyId}" is not a key id`)
    await inCompany(company, (tx, id) => revokeKey(tx, id, keyId), options)
    print(options.json, { company, keyId, revoked: true }, [`${keyId} of ${company} is revoked`])
  })
  jsonCommand(key, 'list <company>', 'List the API keys').action(
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
        k.revokedAt === null ? 'active' : `revoked ${k.revokedAt.slice(0, 10)}`,
      ])
      const head = ['KEY ID', 'NAME', 'SCOPES', 'STORES', 'STATE']
      print(json, answer, lines.length === 0 ? [] : columns([head, ...lines]))
    },
  )
}

async function create(company: string, options: CreateOptions): Promise<void> {
  const name = text(100).safeParse(options.name)
  if (!name.success) throw new Error('--name must be a text of at most 100 characters')
  const terms = {
    name: name.data,
    scopes: z.array(Scope).parse([...new Set(options.scope)]),
    stores: options.store === undefined ? null : [...new Set(options.store)],
  }
  const made = await inCompany(company, (tx, id) => createKey(tx, id, terms), options)
  print(options.json, { company, ...terms, ...made }, [
    `key ${made.keyId} of ${company} is created; it is shown only once:`,
    made.key,
  ])
}
