import { type MenuIcon as MenuIconName, menuIcons } from '@tillside/contract/company'
import CalendarBlankIcon from 'virtual:icons/calendar-blank'
import IdentificationCardIcon from 'virtual:icons/identification-card'
import SquaresFourIcon from 'virtual:icons/squares-four'
import type { ReactNode } from 'react'
import type { Icon, IconProps } from '../ui/page/Icon.tsx'
import { later } from '../ui/load/later.tsx'

/** Loaded only for a company that chooses an icon of its own. */
const ChosenIcon = later(
  async () => (await import('./ChosenIcon.tsx')).ChosenIcon,
  // The space is kept, so that nothing moves.
  ({ size, className }) => <span style={{ width: size, height: size }} className={className} />,
)

/** The icons of the modules that the specification names. */
const ownNames: Record<string, MenuIconName> = {
  member: 'identification-card',
  booking: 'calendar-blank',
}

/** The icons that need no file of their own. */
const atOnce: Partial<Record<MenuIconName, Icon>> = {
  'identification-card': IdentificationCardIcon,
  'calendar-blank': CalendarBlankIcon,
  'squares-four': SquaresFourIcon,
}

type MenuIconProps = IconProps & { menu: { identifier: string; icon: string | null } }

/** The icon that the company chose for a menu, else the module's own. */
export function MenuIcon({ menu: { identifier, icon }, ...look }: MenuIconProps): ReactNode {
  const chosen = menuIcons.find((one) => one === icon)
  const name = chosen ?? ownNames[identifier] ?? 'squares-four'
  const Drawn = atOnce[name]
  if (Drawn !== undefined) return <Drawn {...look} aria-hidden="true" />
  return <ChosenIcon {...look} name={name} />
}
