import { useLingui } from '@lingui/react/macro'
import type { Icon } from '../ui/page/Icon.tsx'
import CoinsIcon from 'virtual:icons/coins'
import CoinsFillIcon from 'virtual:icons/coins-fill'
import HandCoinsIcon from 'virtual:icons/hand-coins'
import HandCoinsFillIcon from 'virtual:icons/hand-coins-fill'
import HouseIcon from 'virtual:icons/house'
import HouseFillIcon from 'virtual:icons/house-fill'
import ReceiptIcon from 'virtual:icons/receipt'
import ReceiptFillIcon from 'virtual:icons/receipt-fill'
import TicketIcon from 'virtual:icons/ticket'
import TicketFillIcon from 'virtual:icons/ticket-fill'
import UserCircleIcon from 'virtual:icons/user-circle'
import UserCircleFillIcon from 'virtual:icons/user-circle-fill'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { paths } from '../paths.ts'
import { usePermissions } from '../staff/permissions.ts'
import { type TabName, tabsOf } from './tabs.ts'

const icons: Record<TabName, { usual: Icon; current: Icon }> = {
  view: { usual: HouseIcon, current: HouseFillIcon },
  coupon: { usual: TicketIcon, current: TicketFillIcon },
  point: { usual: CoinsIcon, current: CoinsFillIcon },
  'point-redeem': { usual: HandCoinsIcon, current: HandCoinsFillIcon },
  transaction: { usual: ReceiptIcon, current: ReceiptFillIcon },
  userinfo: { usual: UserCircleIcon, current: UserCircleFillIcon },
}

/** The id of a tab's content, which gets the focus from the tab's shortcut. */
export const tabContent = 'tab-content'

const hiddenInBar = 'max-medium:hidden low:max-expanded:hidden'

/**
 * A phone's tab bar has room for five. The page for spending points is reached from the points,
 * unless the clerk may not see those.
 */
function isInBar(name: TabName, shown: readonly TabName[]): boolean {
  return name !== 'point-redeem' || !shown.includes('point')
}

type MemberTabsProps = { tab: TabName; memberCode: string }

/** The member's pages: a bar at the bottom of a phone, tabs above the page on larger screens. */
export function MemberTabs({ tab, memberCode }: MemberTabsProps) {
  const { t } = useLingui()
  const names = useNames()
  const shown = tabsOf(usePermissions())
  useTabKeys(shown, memberCode)
  if (shown.length < 2) return null
  return (
    <nav aria-label={t({ id: 'nav.title', message: 'Member pages' })} className="tab-bar">
      {shown.map((name, index) => {
        const current = name === tab
        const Icon = icons[name][current ? 'current' : 'usual']
        return (
          <Link
            key={name}
            {...paths.memberTab(name, { code: memberCode })}
            aria-current={current ? 'page' : undefined}
            aria-keyshortcuts={`Alt+${index + 1}`}
            className={`tab ${isInBar(name, shown) ? '' : hiddenInBar}`}
          >
            <Icon size={24} aria-hidden="true" />
            <span>{names[name]}</span>
          </Link>
        )
      })}
    </nav>
  )
}

function useNames(): Record<TabName, string> {
  const { t } = useLingui()
  return {
    view: t({ id: 'nav.overview', message: 'Overview' }),
    coupon: t({ id: 'nav.coupons', message: 'Coupons' }),
    point: t({ id: 'nav.points', message: 'Points' }),
    'point-redeem': t({ id: 'nav.redeem', message: 'Redeem' }),
    transaction: t({ id: 'nav.transactions', message: 'Transactions' }),
    userinfo: t({ id: 'nav.profile', message: 'Profile' }),
  }
}

/**
 * Alt+1 to Alt+6, by the key's position: with Alt some keyboard layouts type another character. The
 * focus moves to the content, so that Tab reaches the first coupon without the rail and the tabs.
 */
function useTabKeys(shown: readonly TabName[], memberCode: string): void {
  const navigate = useNavigate()
  const open = useRef<(index: number) => boolean>(() => false)
  useEffect(() => {
    open.current = (index) => {
      const name = shown[index]
      if (name === undefined) return false
      const opened = navigate(paths.memberTab(name, { code: memberCode }))
      void opened.then(() => document.getElementById(tabContent)?.focus({ preventScroll: true }))
      return true
    }
  })
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const [, digit] = /^Digit([1-6])$/.exec(event.code) ?? []
      if (!event.altKey || event.ctrlKey || event.metaKey || digit === undefined) return
      // While a sheet is open, the page below it must not change.
      if (document.querySelector('[role=dialog]') !== null) return
      if (open.current(Number(digit) - 1)) event.preventDefault()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}
