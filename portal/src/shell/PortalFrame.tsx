import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { useLingui } from '@lingui/react/macro'
import { type ReactNode } from 'react'
import { company } from '../company/company.ts'
import {
  newVersion,
  otherCompany,
  passwordAsked,
  permissionsChanged,
} from '../kit/call/portalState.ts'
import { useStore } from '../kit/store/store.ts'
import { PracticeBar } from '../practice/PracticeBar.tsx'
import { loginReason } from '../staff/loginReason.ts'
import { logOut } from '../staff/logout.ts'
import { Toaster } from '../ui/layer/Toaster.tsx'
import { Boundary } from '../watch/Boundary.tsx'
import { later } from '../ui/load/later.tsx'

const ForcedLogout = later(async () => (await import('../watch/ForcedLogout.tsx')).ForcedLogout)
const ConfirmPassword = later(
  async () => (await import('../staff/password/ConfirmPassword.tsx')).ConfirmPassword,
)
const UpgradeBanner = later(async () => (await import('../watch/UpgradeBanner.tsx')).UpgradeBanner)
const loadOther = () => import('../watch/OtherIdentifier.tsx')
const OtherIdentifier = later(async () => (await loadOther()).OtherIdentifier)
const Closed = later(async () => (await loadOther()).Closed)

function leave(): void {
  permissionsChanged.set(null)
  loginReason.set('permissionsChanged')
  logOut()
}

/**
 * The frame of every page: texts, messages, the upgrade banner, and the dialogs that end a session.
 */
export function PortalFrame({ children }: { children: ReactNode }): ReactNode {
  const newer = useStore(newVersion)
  const other = useStore(otherCompany)
  const practice = useStore(company)?.practice === true

  return (
    <I18nProvider i18n={i18n}>
      <Boundary>
        {other === 'closed' ? (
          <Closed />
        ) : (
          <>
            {practice && <PracticeBar />}
            {/* A live region must be present before its content changes, or it is not read out. */}
            <output className="block">{newer && <UpgradeBanner />}</output>
            <Permitted>{children}</Permitted>
            <Challenge />
            <Messages />
          </>
        )}
        {other === 'opened' && <OtherIdentifier onAccept={() => otherCompany.set('closed')} />}
      </Boundary>
    </I18nProvider>
  )
}

function Permitted({ children }: { children: ReactNode }): ReactNode {
  const changed = useStore(permissionsChanged)
  if (changed === null) return children
  return (
    // The content may no longer be permitted, so it is removed, not only covered.
    <ForcedLogout pending={changed.pending} onAccept={leave} />
  )
}

function Challenge(): ReactNode {
  const asked = useStore(passwordAsked)
  if (asked === null) return null
  return <ConfirmPassword onAnswer={asked.answer} />
}

function Messages(): ReactNode {
  const { t } = useLingui()
  return <Toaster closeLabel={t({ id: 'common.close', message: 'Close' })} />
}
