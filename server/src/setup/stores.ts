import type { Command } from 'commander'
import * as z from 'zod/mini'
import { companyNamed } from '../company/find.ts'
import { writeAudit } from '../database/audit.ts'
import { columns, jsonCommand, print, withDatabase } from '../database/command.ts'
import { statement, type Transaction } from '../database/database.ts'
import { endStoreSessions } from '../staff/accounts.ts'

const readStores = statement(
  'select store_code, name, active from store where company_id = $1 order by store_code',
  z.object({ store_code: z.string(), name: z.string(), active: z.boolean() }),
)
const setActive = statement(
  'update store set active = $3 where company_id = $1 and store_code = $2',
  z.unknown(),
)

/**
 * Activates or deactivates a store; deactivating ends the sessions of its staff at once. The next
 * apply of the company's folder restores the folder's value.
 * @throws Error when there is no such store
 */
export async function setStoreActive(
  tx: Transaction,
  companyId: string,
  storeCode: string,
  active: boolean,
): Promise<void> {
  const rows = await tx.run(setActive, [companyId, storeCode, active])
  if (rows === 0) throw new Error(`there is no store "${storeCode}"`)
  if (!active) await endStoreSessions(tx, companyId, storeCode)
  const actor = { company: { id: companyId }, staff: null, store: { code: storeCode } }
  const action = active ? 'store.activate' : 'store.deactivate'
  writeAudit(tx, actor, 'command', { action, memberId: null, details: {} })
}

/** `tillside store …` */
export function registerStores(program: Command): void {
  const store = program.command('store').description('List, activate and deactivate stores')
  jsonCommand(store, 'list <company>', 'List the stores').action(
    async (identifier: string, { json }: { json?: boolean }) => {
      const rows = await withDatabase(async ({ database }) => {
        const id = await companyNamed(database, identifier)
        return database.transaction(id, (tx) => tx.all(readStores, [id]))
      })
      print(
        json,
        rows.map(({ store_code: code, name, active }) => ({ code, name, active })),
        columns(rows.map((row) => [row.store_code, row.name, row.active ? '' : 'inactive'])),
      )
    },
  )
  for (const active of [true, false]) {
    const verb = active ? 'activate' : 'deactivate'
    const does = active
      ? 'Let staff of a store log in'
      : 'Lock out staff of a store and end their sessions'
    const lasts = 'until the next company apply restores company.yaml'
    jsonCommand(store, `${verb} <company> <store>`, `${does}, ${lasts}`).action(
      async (identifier: string, code: string, { json }: { json?: boolean }) => {
        await withDatabase(async ({ database }) => {
          const id = await companyNamed(database, identifier)
          await database.transaction(id, (tx) => setStoreActive(tx, id, code, active))
        })
        print(json, { company: identifier, code, active }, [`${code} is ${verb}d`])
      },
    )
  }
}
