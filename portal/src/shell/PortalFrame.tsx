import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { useLingui } from '@lingui/react/macro'
import { lazy, Suspense, type ReactNode } from 'react'
import { permissionsChanged } from '../kit/signals.ts'
import { useStore } from '../kit/store.ts'
import { loginReason } from '../staff/loginReason.ts'
import { logOut } from '../staff/logout.ts'
import { Toaster } from '../ui/Toaster.tsx'

const ForcedLogout = lazy(async () => ({
  default: (await import('./ForcedLogout.tsx')).ForcedLogout,
}))

function leave(): void {
  permissionsChanged.set(null)
  loginReason.set('permissionsChanged')
  logOut()
}

/** Around every page: texts, messages, and the one dialog that ends everything. */
export function PortalFrame({ children }: { children: ReactNode }): ReactNode {
  const changed = useStore(permissionsChanged)

  return (
    <I18nProvider i18n={i18n}>
      {changed === null ? (
        children
      ) : (
        // What was on screen may no longer be permitted: it is gone, not only covered.
        <Suspense>
          <ForcedLogout pending={changed.pending} onAccept={leave} />
        </Suspense>
      )}
      <Messages />
    </I18nProvider>
  )
}

function Messages(): ReactNode {
  const { t } = useLingui()
  return <Toaster closeLabel={t({ id: 'common.close', message: 'Close' })} />
}
