import type { Command } from 'commander'
import * as z from 'zod/mini'
import { writeAudit } from '../database/audit.ts'
import { inCompany } from '../company/find.ts'
import type { ActOptions } from '../process/author.ts'
import { actCommand, columns, jsonCommand, print } from '../database/command.ts'
import { statement, type Transaction } from '../database/database.ts'
import { changeDefinition } from './revision/history.ts'
import { endStoreSessions } from '../staff/roster/sessions.ts'

const readStores = statement(
  'select store_code, name, active from store where company_id = $1 order by store_code',
  z.object({ store_code: z.string(), name: z.string(), active: z.boolean() }),
)
const setActive = statement(
  'update store set active = $3 where company_id = $1 and store_code = $2 and active <> $3',
  z.unknown(),
)
const readStore = statement(
  'select active from store where company_id = $1 and store_code = $2',
  z.object({ active: z.boolean() }),
)

/**
 * Activates or deactivates a store; deactivating ends the sessions of its staff at once. It makes a
 * new revision, so that an older folder cannot restore its own value unnoticed.
 * @throws Error when there is no such store
 */
export async function setStoreActive(
  tx: Transaction,
  companyId: string,
  storeCode: string,
  active: boolean,
): Promise<void> {
  const store = await tx.maybe(readStore, [companyId, storeCode])
  if (store === null) throw new Error(`there is no store "${storeCode}"`)
  await changeDefinition(tx, companyId, 'store', async () => {
    const rows = await tx.run(setActive, [companyId, storeCode, active])
    return rows === 0 ? [] : [`${active ? 'activate' : 'deactivate'} store ${storeCode}`]
  })
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
      const rows = await inCompany(identifier, (tx, id) => tx.all(readStores, [id]))
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
    actCommand(store, `${verb} <company> <store>`, does).action(
      async (identifier: string, code: string, options: ActOptions) => {
        await inCompany(identifier, (tx, id) => setStoreActive(tx, id, code, active), options)
        print(options.json, { company: identifier, code, active }, [`${code} is ${verb}d`])
      },
    )
  }
}
