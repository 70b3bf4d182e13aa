import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router'
import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, type ReactNode } from 'react'
import { useTheme } from '../company/company.ts'
import { useConfig } from '../company/config.ts'
import { Logo } from '../company/Logo.tsx'
import { CustomerDisplay } from '../display/CustomerDisplay.tsx'
import { queryClient } from '../kit/call/query.ts'
import { BackClosesLayer } from '../kit/page/BackClosesLayer.tsx'
import { useSession } from '../kit/call/session.ts'
import { leaveCustomers } from '../member/formerCustomers.ts'
import { paths } from '../paths.ts'
import { loadHeaderSearch } from '../search/HeaderSearch.tsx'
import { NextMember } from '../search/NextMember.tsx'
import { ScanListener } from '../search/ScanListener.tsx'
import { SearchKeys } from '../search/SearchKeys.tsx'
import { SlipScans } from '../slip/SlipScans.tsx'
import { useArea, useModules, usePermissions } from '../staff/permissions.ts'
import { loadSheets } from '../ui/layer/Sheet.tsx'
import { InterruptionBar } from '../ui/layer/InterruptionBar.tsx'
import { whenIdle } from '../ui/load/whenIdle.ts'
import { UnansweredBar } from '../watch/UnansweredBar.tsx'
import { PrivacyCover } from '../watch/PrivacyCover.tsx'
import { Header } from './Header.tsx'
import { NoPermissionPage } from './NoPermissionPage.tsx'
import { OfflineBar } from './OfflineBar.tsx'
import { PendingPage } from './waiting/PendingPage.tsx'
import { useLateLoad } from './waiting/useLateLoad.ts'
import { SettingsButton } from './SettingsButton.tsx'
import { later } from '../ui/load/later.tsx'
import '../ui/style/counter.css'

const PracticeTasks = later(
  async () => (await import('../practice/PracticeTasks.tsx')).PracticeTasks,
)

/** The frame of every page after login. */
export function Shell(): ReactNode {
  const { practice } = useTheme()
  const hasMenus = useModules().length > 0
  const hasMembers = useArea('member')
  const mayScan = usePermissions().has('scanQrCode') && hasMembers
  const isLate = useLateLoad()
  const onMember = useLocation({ select: ({ pathname }) => pathname.includes('/member/home/') })
  // The manual can be read without any permission.
  const reading = useLocation({ select: ({ pathname }) => /\/manual(?:\/|$)/.test(pathname) })
  useEffect(() => {
    loadSheets()
    whenIdle(() => void loadHeaderSearch())
  }, [])
  // Shows nothing between logout and the login form, because pages need a clerk.
  if (useSession() === null) return null
  return (
    <QueryClientProvider client={queryClient}>
      <div className="flex flex-1 flex-col">
        <Header
          logo={
            <Link
              {...paths.modules()}
              className="flex min-h-11 min-w-[44px] items-center rounded-button"
            >
              <Logo />
            </Link>
          }
          middle={onMember && hasMenus ? <NextMember /> : null}
          settings={<SettingsButton />}
          isOfMember={onMember && hasMenus}
        />
        <BackClosesLayer />
        {hasMembers ? <SearchKeys /> : null}
        {mayScan ? <SlipScans /> : null}
        {mayScan ? <ScanListener /> : null}
        <div className="beside-panel">
          <OfflineBar />
          {practice && <PracticeTasks />}
          {hasMembers ? <UnansweredBar /> : null}
          <div className="sticky top-14 z-16 px-4 narrow:top-0">
            <InterruptionBar />
          </div>
          {isLate ? <PendingPage /> : hasMenus || reading ? <Outlet /> : <NoPermissionPage />}
        </div>
        <Privacy />
        <CustomerDisplay />
      </div>
    </QueryClientProvider>
  )
}

/** Covers pages with customer data when they have not been used for a while. */
function Privacy(): ReactNode {
  const navigate = useNavigate()
  const minutes = useConfig()?.idleLockMinutes ?? null
  const page = useLocation({
    select: ({ pathname }) => /\/member\/(?:home\/|search\/register)/.test(pathname),
  })
  if (!page || minutes === null) return null
  const close = () => {
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'config' })
    leaveCustomers()
    void navigate({ ...paths.memberSearch(), replace: true })
  }
  return <PrivacyCover lockMinutes={minutes} onLock={close} />
}
