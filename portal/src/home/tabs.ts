import type { Permission } from '@tillside/contract/wire/permissions'

type Tab = { name: string; any: readonly Permission[] }

/** The pages of a member in their order, each with the permissions of which one is enough. */
const tabs = [
  { name: 'view', any: [] },
  { name: 'coupon', any: ['coupon', 'couponView'] },
  { name: 'point', any: ['point'] },
  { name: 'point-redeem', any: ['pointRedeem', 'pointExchange'] },
  { name: 'transaction', any: ['transaction'] },
  { name: 'userinfo', any: ['userInfo'] },
] as const satisfies readonly Tab[]
export type TabName = (typeof tabs)[number]['name']

/** The pages that these permissions open. One without a permission does not exist. */
export function tabsOf(permissions: ReadonlySet<Permission>): TabName[] {
  return tabs.filter((tab) => isGranted(tab, permissions)).map(({ name }) => name)
}

function isGranted({ any }: Tab, permissions: ReadonlySet<Permission>): boolean {
  return any.length === 0 || any.some((name) => permissions.has(name))
}

/** The page that a part of an address names, if these permissions open it. */
export function tabIn(
  name: string | undefined,
  permissions: ReadonlySet<Permission>,
): TabName | null {
  return tabsOf(permissions).find((tab) => tab === name) ?? null
}
