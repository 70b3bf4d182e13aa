import { getPermission, type AppMenu } from '@tillside/contract/company'
import { Language } from '@tillside/contract/wire/language'
import { Permission } from '@tillside/contract/wire/permissions'
import * as z from 'zod/mini'
import { call } from '../kit/call/call.ts'
import { session } from '../kit/call/session.ts'
import { deviceStorage } from '../kit/store/storage.ts'
import { createStore, useStore } from '../kit/store/store.ts'
import { currentLanguage, watchLanguage } from '../kit/text/language.ts'

/** A menu at the root of the tree, with all menus below it. */
export type Module = { menu: AppMenu; children: readonly AppMenu[] }

/** The clerk's rights: the menu tree, the identifiers of all menus, and the named permissions. */
export type Grants = {
  modules: readonly Module[]
  areas: ReadonlySet<string>
  permissions: ReadonlySet<Permission>
}

const Kept = z.object({
  token: z.string(),
  /** The language of the menus' names. */
  language: Language,
  appMenus: getPermission.data.shape.appMenus,
})
const keptKey = () => session.keyOf('permissions')

const current = createStore<Grants | null>(null)
let asked: { language: Language; grants: Promise<Grants> } | null = null

// Permissions belong to a session: another clerk must not start with them.
session.watch(() => {
  asked = null
  current.set(null)
  // The same session is opened again when a page starts; its stored grants stay.
  if (readKept() === null) deviceStorage.removeItem(keptKey())
})

// The names of the menus are in the language in which they were asked.
watchLanguage(() => {
  if (current.get() !== null) refreshGrants().catch(() => undefined)
})

/**
 * The clerk's grants: from this device if stored, then refreshed in the background. So a reload
 * does not wait, and changes still arrive.
 */
export function loadGrants(): Promise<Grants> {
  const kept = readKept()
  const isKept = kept?.language === currentLanguage()
  const known = current.get() ?? (isKept ? grantsOf(kept.appMenus) : null)
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
  const language = currentLanguage()
  if (asked?.language === language) return asked.grants
  const grants = call(getPermission, {}, { quiet: true })
    .then(({ appMenus }) => {
      const isCurrent = token === session.token() && language === currentLanguage()
      if (token !== null && isCurrent) {
        deviceStorage.setItem(keptKey(), JSON.stringify({ token, language, appMenus }))
        current.set(grantsOf(appMenus))
      }
      return grantsOf(appMenus)
    })
    .finally(() => {
      if (asked?.grants === grants) asked = null
    })
  asked = { language, grants }
  return grants
}

/** The grants in the server's menu tree. A menu whose parent is not granted is at the root. */
export function grantsOf(appMenus: readonly AppMenu[]): Grants {
  const buttons = appMenus.filter(({ type }) => type === 'button')
  const names = buttons.map(({ identifier }) => z.safeParse(Permission, identifier))
  const menus = appMenus.filter(({ type }) => type === 'menu').toSorted((a, b) => a.sort - b.sort)
  const roots = menus.filter((menu) => rootOf(menu, menus) === menu)
  return {
    modules: roots.map((menu) => ({
      menu,
      children: menus.filter((other) => other !== menu && rootOf(other, menus) === menu),
    })),
    areas: new Set(menus.map(({ identifier }) => identifier)),
    permissions: new Set(names.flatMap((name) => (name.success ? [name.data] : []))),
  }
}

function rootOf(menu: AppMenu, menus: readonly AppMenu[]): AppMenu {
  const above = menus.find(({ id }) => id === menu.parentId)
  // Each step looks at fewer menus, so a circle ends too.
  const others = menus.filter((other) => other !== menu)
  return above === undefined || above === menu ? menu : rootOf(above, others)
}

const none: ReadonlySet<Permission> = new Set()

/** The clerk's named permissions. */
export function usePermissions(): ReadonlySet<Permission> {
  return useStore(current)?.permissions ?? none
}

const noModules: readonly Module[] = []

/** The modules at the root of the menu tree, in the company's order. */
export function useModules(): readonly Module[] {
  return useStore(current)?.modules ?? noModules
}

/** Whether the clerk has a menu of this identifier, such as `member`, anywhere in the tree. */
export function useArea(identifier: string): boolean {
  return useStore(current)?.areas.has(identifier) ?? false
}

function readKept(): z.infer<typeof Kept> | null {
  try {
    const kept = z.safeParse(Kept, JSON.parse(deviceStorage.getItem(keptKey()) ?? 'null'))
    return kept.success && kept.data.token === session.token() ? kept.data : null
  } catch {
    return null
  }
}
