import type { Permission } from '@tillside/contract/wire/permissions'

type Tab = { name: string; any: readonly Permission[] }

/** The member's pages in their order. One of the permissions in `any` is enough. */
const tabs = [
  { name: 'view', any: [] },
  { name: 'coupon', any: ['coupon', 'couponView', 'couponRedeem', 'homeIssuecoupon'] },
  { name: 'point', any: ['point'] },
  { name: 'point-redeem', any: ['pointRedeem', 'pointExchange'] },
  { name: 'transaction', any: ['transaction'] },
  { name: 'userinfo', any: ['userInfo'] },
] as const satisfies readonly Tab[]
export type TabName = (typeof tabs)[number]['name']

/** The pages that these permissions allow. All others are hidden. */
export function tabsOf(permissions: ReadonlySet<Permission>): TabName[] {
  return tabs.filter((tab) => isGranted(tab, permissions)).map(({ name }) => name)
}

function isGranted({ any }: Tab, permissions: ReadonlySet<Permission>): boolean {
  return any.length === 0 || any.some((name) => permissions.has(name))
}

/** The page of this name, if these permissions allow it; otherwise null. */
export function tabIn(
  name: string | undefined,
  permissions: ReadonlySet<Permission>,
): TabName | null {
  return tabsOf(permissions).find((tab) => tab === name) ?? null
}
