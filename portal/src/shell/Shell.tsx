import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense, type ReactNode } from 'react'
import { Logo } from '../company/Logo.tsx'
import { queryClient } from '../kit/query.ts'
import { useSession } from '../kit/session.ts'
import { paths } from '../paths.ts'
import { useMenus } from '../staff/permissions.ts'
import { Header } from './Header.tsx'
import { NoPermissionPage } from './NoPermissionPage.tsx'
import { OfflineBar } from './OfflineBar.tsx'
import { SettingsButton } from './SettingsButton.tsx'

const NextMember = lazy(async () => ({
  default: (await import('../search/NextMember.tsx')).NextMember,
}))

/** Around every page after login. */
export function Shell(): ReactNode {
  const hasMenus = useMenus().length > 0
  const onMember = useLocation({ select: ({ pathname }) => pathname.includes('/member/home/') })
  // Between logout and the login form nothing is shown, least of all a page without its clerk.
  if (useSession() === null) return null
  return (
    <QueryClientProvider client={queryClient}>
      <div className="flex min-h-dvh flex-col">
        <Header
          logo={
            <Link
              {...paths.modules()}
              className="flex min-h-11 min-w-11 items-center rounded-button"
            >
              <Logo />
            </Link>
          }
          middle={
            onMember && hasMenus ? (
              <Suspense>
                <NextMember />
              </Suspense>
            ) : null
          }
          settings={<SettingsButton />}
        />
        <OfflineBar />
        {hasMenus ? <Outlet /> : <NoPermissionPage />}
      </div>
    </QueryClientProvider>
  )
}
