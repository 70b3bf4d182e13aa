import { Permission, permissions } from '@tillside/contract/wire/permissions'
import type { Command } from 'commander'
import * as z from 'zod/mini'
import { companyNamed } from '../company/find.ts'
import { writeAudit } from '../database/audit.ts'
import { columns, jsonCommand, print, withDatabase } from '../database/command.ts'
import { statement, type Transaction } from '../database/database.ts'

const lockGroup = statement(
  'select permissions from staff_group where company_id = $1 and group_code = $2 for update',
  z.object({ permissions: z.array(Permission) }),
)
const writeGroup = statement(
  `update staff_group set permissions = $3, version = version + 1
   where company_id = $1 and group_code = $2`,
  z.unknown(),
)
const readGroups = statement(
  `select group_code, permissions, menus from staff_group where company_id = $1
   order by group_code`,
  z.object({
    group_code: z.string(),
    permissions: z.array(Permission),
    menus: z.array(z.string()),
  }),
)

/**
 * Grants or revokes a permission of a staff group. Its sessions notice the change at their next
 * call.
 * @returns the group's permissions afterwards
 * @throws Error when there is no such group
 */
export async function changePermission(
  tx: Transaction,
  companyId: string,
  groupCode: string,
  permission: Permission,
  granted: boolean,
): Promise<Permission[]> {
  const row = await tx.maybe(lockGroup, [companyId, groupCode])
  if (row === null) throw new Error(`there is no group "${groupCode}"`)
  if (row.permissions.includes(permission) === granted) return row.permissions
  const others = row.permissions.filter((name) => name !== permission)
  const after = granted ? [...others, permission].sort() : others
  await tx.run(writeGroup, [companyId, groupCode, after])
  const actor = { company: { id: companyId }, staff: null, store: null }
  const action = granted ? 'permission.grant' : 'permission.revoke'
  const details = { group: groupCode, permission }
  writeAudit(tx, actor, 'command', { action, memberId: null, details })
  return after
}

/** `tillside permission …` */
export function registerPermissions(program: Command): void {
  const permission = program
    .command('permission')
    .description('List, grant and revoke permissions of staff groups')
  jsonCommand(permission, 'list <company>', 'List the groups with their permissions').action(
    async (identifier: string, { json }: { json?: boolean }) => {
      const rows = await withDatabase(async ({ database }) => {
        const id = await companyNamed(database, identifier)
        return database.transaction(id, (tx) => tx.all(readGroups, [id]))
      })
      print(
        json,
        rows.map(({ group_code: group, ...row }) => ({ group, ...row })),
        columns(rows.map((row) => [row.group_code, row.permissions.join(' ')])),
      )
    },
  )
  for (const granted of [true, false]) {
    const verb = granted ? 'grant' : 'revoke'
    const does = granted ? 'Grant a group a permission' : 'Revoke a group’s permission'
    const lasts = 'until the next company apply restores company.yaml'
    jsonCommand(permission, `${verb} <company> <group> <permission>`, `${does}, ${lasts}`).action(
      async (identifier: string, group: string, name: string, { json }: { json?: boolean }) => {
        const parsed = Permission.safeParse(name)
        if (!parsed.success) throw new Error(`permission must be one of ${permissions.join(', ')}`)
        const after = await withDatabase(async ({ database }) => {
          const id = await companyNamed(database, identifier)
          return database.transaction(id, (tx) =>
            changePermission(tx, id, group, parsed.data, granted),
          )
        })
        print(json, { company: identifier, group, permissions: after }, [
          `${group} of ${identifier} may now: ${after.join(' ') || 'nothing'}`,
        ])
      },
    )
  }
}
