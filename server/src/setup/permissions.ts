import { Permission, permissions } from '@tillside/contract/wire/permissions'
import type { Command } from 'commander'
import * as z from 'zod/mini'
import { inCompany } from '../company/find.ts'
import { writeAudit } from '../database/audit.ts'
import type { ActOptions } from '../process/author.ts'
import { actCommand, columns, jsonCommand, print } from '../database/command.ts'
import { statement, type Transaction } from '../database/database.ts'
import { changeDefinition } from './revision/history.ts'

const readGroup = statement(
  'select permissions from staff_group where company_id = $1 and group_code = $2',
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
  const row = await tx.maybe(readGroup, [companyId, groupCode])
  if (row === null) throw new Error(`there is no group "${groupCode}"`)
  let after = row.permissions
  if (after.includes(permission) === granted) return after
  await changeDefinition(tx, companyId, 'permission', async () => {
    // Read again, now that no other change of the definition can run.
    const before = await tx.one(readGroup, [companyId, groupCode])
    const others = before.permissions.filter((name) => name !== permission)
    after = granted ? [...others, permission].sort() : others
    await tx.run(writeGroup, [companyId, groupCode, after])
    return [`${granted ? 'grant' : 'revoke'} group ${groupCode}: ${permission}`]
  })
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
      const rows = await inCompany(identifier, (tx, id) => tx.all(readGroups, [id]))
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
    actCommand(permission, `${verb} <company> <group> <permission>`, does).action(
      async (identifier: string, group: string, name: string, options: ActOptions) => {
        const parsed = Permission.safeParse(name)
        if (!parsed.success) throw new Error(`permission must be one of ${permissions.join(', ')}`)
        const after = await inCompany(
          identifier,
          (tx, id) => changePermission(tx, id, group, parsed.data, granted),
          options,
        )
        print(options.json, { company: identifier, group, permissions: after }, [
          `${group} of ${identifier} may now: ${after.join(' ') || 'nothing'}`,
        ])
      },
    )
  }
}
