import { getPermission, type AppMenu } from '@tillside/contract/company'
import { Permission } from '@tillside/contract/wire/permissions'
import * as z from 'zod/mini'
import { call } from '../kit/call/call.ts'
import { session } from '../kit/call/session.ts'
import { deviceStorage } from '../kit/store/storage.ts'
import { createStore, useStore } from '../kit/store/store.ts'

/** The clerk's rights: the modules, and the named permissions. */
export type Grants = { menus: readonly AppMenu[]; permissions: ReadonlySet<Permission> }

const Kept = z.object({ token: z.string(), appMenus: getPermission.data.shape.appMenus })
const keptKey = () => session.keyOf('permissions')

const current = createStore<Grants | null>(null)
let asked: Promise<Grants> | null = null

// Permissions belong to a session: another clerk must not start with them.
session.watch(() => {
  asked = null
  current.set(null)
  // The same session is opened again when a page starts; its stored grants stay.
  if (readKept() === null) deviceStorage.removeItem(keptKey())
})

/**
 * The clerk's grants: from this device if stored, then refreshed in the background. So a reload
 * does not wait, and changes still arrive.
 */
export function loadGrants(): Promise<Grants> {
  const kept = readKept()?.appMenus
  const known = current.get() ?? (kept === undefined ? null : grantsOf(kept))
  if (known === null) return refreshGrants()
  if (current.get() === null) {
    current.set(known)
    // If this fails the screen stays as it is: the server checks every call anyway.
    refreshGrants().catch(() => undefined)
  }
  return Promise.resolve(known)
}

/** Loads the clerk's current grants from the server. */
export function refreshGrants(): Promise<Grants> {
  const token = session.token()
  if (asked !== null) return asked
  const asking = call(getPermission, {}, { quiet: true })
    .then(({ appMenus }) => {
      if (token !== null && token === session.token()) {
        deviceStorage.setItem(keptKey(), JSON.stringify({ token, appMenus }))
        current.set(grantsOf(appMenus))
      }
      return grantsOf(appMenus)
    })
    .finally(() => {
      if (asked === asking) asked = null
    })
  asked = asking
  return asking
}

/** The grants in the server's menu tree. */
export function grantsOf(appMenus: readonly AppMenu[]): Grants {
  const names = appMenus.map(({ identifier }) => z.safeParse(Permission, identifier))
  return {
    menus: appMenus
      .filter(({ type, parentId }) => type === 'menu' && parentId === null)
      .toSorted((a, b) => a.sort - b.sort),
    permissions: new Set(names.flatMap((name) => (name.success ? [name.data] : []))),
  }
}

const none: ReadonlySet<Permission> = new Set()

/** The clerk's named permissions. */
export function usePermissions(): ReadonlySet<Permission> {
  return useStore(current)?.permissions ?? none
}

/** The modules at the root of the menu tree, in the company's order. */
export function useMenus(): readonly AppMenu[] {
  return useStore(current)?.menus ?? []
}

function readKept(): z.infer<typeof Kept> | null {
  try {
    const kept = z.safeParse(Kept, JSON.parse(deviceStorage.getItem(keptKey()) ?? 'null'))
    return kept.success && kept.data.token === session.token() ? kept.data : null
  } catch {
    return null
  }
}
