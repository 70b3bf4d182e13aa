import type { AppMenu } from '@tillside/contract/company'
import { Trans } from '@lingui/react/macro'
import ArticleIcon from 'virtual:icons/article'
import ArrowUpRightIcon from 'virtual:icons/arrow-up-right'
import BarcodeIcon from 'virtual:icons/barcode'
import BookOpenIcon from 'virtual:icons/book-open'
import CaretRightIcon from 'virtual:icons/caret-right'
import ClockCounterClockwiseIcon from 'virtual:icons/clock-counter-clockwise'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import { useConfigQuery } from '../company/config.ts'
import { MenuIcon } from '../company/MenuIcon.tsx'
import { fullName } from '@tillside/contract/rules/person'
import { useSession } from '../kit/call/session.ts'
import { useShopClock } from '../kit/text/clock.ts'
import { paths } from '../paths.ts'
import { UnreadNotes } from '../shift/UnreadNotes.tsx'
import { useArea, useModules, usePermissions } from '../staff/permissions.ts'
import { buttonClass } from '../ui/page/buttonClass.ts'
import { PageFrame } from '../ui/page/PageFrame.tsx'

/** Greets the clerk and shows the modules of their menu. */
export function ModuleSelectPage(): ReactNode {
  const info = useSession()
  const modules = useModules()
  const config = useConfigQuery()
  const page = config.data?.staticPage
  const only = useRef<HTMLAnchorElement>(null)

  useEffect(() => {
    // A single module gets the focus, so that Enter opens it.
    if (modules.length === 1) only.current?.focus()
  }, [modules.length])

  if (info === null) return null
  return (
    <PageFrame width="page">
      {/* The settings have the time zone; until they answer, the greeting is not known. */}
      <h1 className={`text-title-l ${config.isLoading ? 'invisible' : ''}`}>
        <Greeting key={String(config.isLoading)} name={greetingName(info.staff)} />
      </h1>
      <p className="mt-1 text-body text-ink2">
        {info.store.name} · <span className="num">{info.store.code}</span>
      </p>
      <ul
        className={
          'mt-8 grid grid-cols-1 gap-3 medium:gap-4 ' +
          // Of two or three modules, the first is wider; from four on all are equal.
          (modules.length > 3 ? 'medium:grid-cols-3' : 'medium:grid-cols-[3fr_2fr]')
        }
      >
        {modules.map(({ menu, children }, index) => (
          <li
            key={menu.id}
            className={
              'grid grid-cols-1 grid-rows-[1fr_auto] ' +
              (index === 0 && modules.length === 3 ? 'medium:row-span-2' : '')
            }
          >
            <ModuleCard menu={menu} link={only} />
            <ChildMenus menus={children} />
          </li>
        ))}
      </ul>
      <p className="mt-4 flex flex-wrap gap-x-3">
        <Link {...paths.shift()} className={`${buttonClass('text', 'small')} -ms-3`}>
          <ClockCounterClockwiseIcon size={20} aria-hidden="true" />
          <Trans id="shift.title">My shift</Trans>
        </Link>
        <Link {...paths.manual()} className={`${buttonClass('text', 'small')} -ms-3`}>
          <BookOpenIcon size={20} aria-hidden="true" />
          <Trans id="man.title">User manual</Trans>
        </Link>
        {page && (
          <Link {...paths.staticPage()} className={`${buttonClass('text', 'small')} -ms-3`}>
            <ArticleIcon size={20} aria-hidden="true" />
            {page.title}
          </Link>
        )}
      </p>
      {/* Below the links, so that nothing moves when the notes arrive. */}
      <UnreadNotes />
      <ScanHint />
    </PageFrame>
  )
}

/** A scan also works on this page, without opening a module. */
function ScanHint(): ReactNode {
  const mayScan = usePermissions().has('scanQrCode')
  const hasMembers = useArea('member')
  if (!mayScan || !hasMembers) return null
  return (
    <p className="mt-6 flex items-center gap-2 text-small text-ink2">
      <BarcodeIcon size={20} aria-hidden="true" className="shrink-0" />
      <Trans id="mod.scanHint">You can scan a member code at any time</Trans>
    </p>
  )
}

/** Chinese uses the whole name in a greeting, English the first name. */
function greetingName(staff: { firstName: string; lastName: string }): string {
  const whole = fullName(staff)
  return /\p{Script=Han}/u.test(whole) ? whole : fullName({ ...staff, lastName: '' }) || whole
}

function Greeting({ name }: { name: string }): ReactNode {
  // Set once: a greeting should not change while it is being read.
  const { timeOf } = useShopClock()
  const [hour] = useState(() => Number(timeOf(Date.now()).slice(0, 2)))
  if (hour >= 5 && hour < 12) return <Trans id="mod.morning">Good morning, {name}</Trans>
  if (hour >= 12 && hour < 18) return <Trans id="mod.afternoon">Good afternoon, {name}</Trans>
  return <Trans id="mod.evening">Good evening, {name}</Trans>
}

const cardClass =
  'flex min-h-20 items-center gap-4 rounded-card border border-line bg-surface p-5 text-ink ' +
  'no-underline transition-colors duration-[120ms] hover:border-control ' +
  'medium:min-h-36 low:min-h-24 medium:flex-col medium:items-start medium:justify-between'

function ModuleCard({
  menu,
  link,
}: {
  menu: AppMenu
  link: RefObject<HTMLAnchorElement | null>
}): ReactNode {
  const icon = <MenuIcon menu={menu} size={32} className="shrink-0 text-brand-text" />
  // A menu without an address only groups the menus below it.
  if (menu.url === null) {
    return (
      <h2 className="flex items-center gap-3 self-end py-2 text-strong">
        {icon}
        {menu.name}
      </h2>
    )
  }
  const Arrow = isOutside(menu.url) ? ArrowUpRightIcon : CaretRightIcon
  return (
    <MenuLink url={menu.url} link={link} className={cardClass}>
      {icon}
      <span
        className={
          'flex min-w-0 flex-1 items-center justify-between gap-3 self-stretch medium:flex-none'
        }
      >
        <span className="line-clamp-2 text-strong">{menu.name}</span>
        <Arrow size={20} aria-hidden="true" className="shrink-0 text-ink3" />
      </span>
    </MenuLink>
  )
}

/** The menus below a module, as links below its card. */
function ChildMenus({ menus }: { menus: readonly AppMenu[] }): ReactNode {
  if (menus.length === 0) return null
  return (
    <ul className="mt-1 flex flex-wrap gap-x-1">
      {menus.map((menu) => (
        <li key={menu.id}>
          {menu.url === null ? (
            <span className="flex min-h-11 items-center px-3 text-small">{menu.name}</span>
          ) : (
            <MenuLink url={menu.url} className={`${buttonClass('text', 'small')} text-start!`}>
              <MenuIcon menu={menu} size={20} className="shrink-0" />
              {menu.name}
              {isOutside(menu.url) ? <ArrowUpRightIcon size={16} aria-hidden="true" /> : null}
            </MenuLink>
          )}
        </li>
      ))}
    </ul>
  )
}

type MenuLinkProps = {
  url: string
  link?: RefObject<HTMLAnchorElement | null>
  className: string
  children: ReactNode
}

/** A page of the portal, or another site in a new tab. */
function MenuLink({ url, link, className, children }: MenuLinkProps): ReactNode {
  if (!isOutside(url)) {
    return (
      <Link ref={link} {...paths.inside(url)} className={className}>
        {children}
      </Link>
    )
  }
  return (
    <a ref={link} href={url} target="_blank" rel="noreferrer" className={className}>
      {children}
      <span className="sr-only">
        <Trans id="mod.newTab">opens in a new tab</Trans>
      </span>
    </a>
  )
}

function isOutside(url: string): boolean {
  return url.startsWith('https://')
}
