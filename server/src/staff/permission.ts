import type { AppMenu, getPermission } from '@tillside/contract/company'
import { permissions } from '@tillside/contract/wire/permissions'
import type { Data } from '@tillside/contract/wire/endpoint'
import * as z from 'zod/mini'
import { textIn } from '../company/definition.ts'
import { settingsOf } from '../company/settings.ts'
import type { Context } from '../database/context.ts'
import { statement } from '../database/database.ts'
import { permissionNames } from '../text/permission-texts.ts'

const seeVersion = statement(
  `update session set permission_version = $4
   where company_id = $1 and staff_id = $2 and token_hash = $3 and permission_version <> $4`,
  z.unknown(),
)

/**
 * Reads the menus and permissions of the caller's group. From here on the client relies on the new
 * permission set, so the session's version is updated.
 */
export async function readPermissions(
  context: Context<typeof getPermission>,
): Promise<Data<typeof getPermission>> {
  const { tx, company, staff, group, language, tokenHash } = context
  const settings = await settingsOf(tx, company)
  if (context.seenPermissionVersion !== group.permissionVersion) {
    await tx.run(seeVersion, [company.id, staff.id, tokenHash, group.permissionVersion])
  }
  const menus: AppMenu[] = settings.menus
    .filter((menu) => group.menus.includes(menu.id))
    .map((menu) => ({
      id: menu.id,
      parentId: menu.parent,
      identifier: menu.identifier,
      type: 'menu',
      url: menu.url,
      icon: menu.icon,
      name: textIn(menu.names, language, settings),
      sort: menu.sort,
    }))
  // Buttons belong to the member module; without it there is no place for them.
  const parent = menus.find((menu) => menu.identifier === 'member')
  const buttons = permissions
    .filter((name) => parent !== undefined && context.permissions.has(name))
    .map((name, index): AppMenu => ({
      id: `button-${name}`,
      parentId: parent?.id ?? null,
      identifier: name,
      type: 'button',
      url: null,
      icon: null,
      name: permissionNames[name][language],
      sort: index,
    }))
  return { appMenus: [...menus, ...buttons] }
}
