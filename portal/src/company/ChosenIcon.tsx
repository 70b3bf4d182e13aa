import type { MenuIcon } from '@tillside/contract/company'
import ArticleIcon from 'virtual:icons/article'
import BookOpenIcon from 'virtual:icons/book-open'
import CalendarBlankIcon from 'virtual:icons/calendar-blank'
import CalendarCheckIcon from 'virtual:icons/calendar-check'
import ChartBarIcon from 'virtual:icons/chart-bar'
import CoinsIcon from 'virtual:icons/coins'
import EnvelopeIcon from 'virtual:icons/envelope'
import GearIcon from 'virtual:icons/gear'
import GiftIcon from 'virtual:icons/gift'
import HouseIcon from 'virtual:icons/house'
import IdentificationCardIcon from 'virtual:icons/identification-card'
import MagnifyingGlassIcon from 'virtual:icons/magnifying-glass'
import PackageIcon from 'virtual:icons/package'
import ReceiptIcon from 'virtual:icons/receipt'
import SquaresFourIcon from 'virtual:icons/squares-four'
import StorefrontIcon from 'virtual:icons/storefront'
import TicketIcon from 'virtual:icons/ticket'
import TruckIcon from 'virtual:icons/truck'
import UserPlusIcon from 'virtual:icons/user-plus'
import UsersIcon from 'virtual:icons/users'
import type { ReactNode } from 'react'
import type { Icon, IconProps } from '../ui/page/Icon.tsx'

const icons: Record<MenuIcon, Icon> = {
  'identification-card': IdentificationCardIcon,
  users: UsersIcon,
  'user-plus': UserPlusIcon,
  'magnifying-glass': MagnifyingGlassIcon,
  'calendar-blank': CalendarBlankIcon,
  'calendar-check': CalendarCheckIcon,
  house: HouseIcon,
  storefront: StorefrontIcon,
  ticket: TicketIcon,
  gift: GiftIcon,
  coins: CoinsIcon,
  receipt: ReceiptIcon,
  'chart-bar': ChartBarIcon,
  package: PackageIcon,
  truck: TruckIcon,
  envelope: EnvelopeIcon,
  article: ArticleIcon,
  'book-open': BookOpenIcon,
  gear: GearIcon,
  'squares-four': SquaresFourIcon,
}

/** One of the icons that a company may choose for a menu. */
export function ChosenIcon({ name, ...look }: IconProps & { name: MenuIcon }): ReactNode {
  const Drawn = icons[name]
  return <Drawn {...look} aria-hidden="true" />
}
