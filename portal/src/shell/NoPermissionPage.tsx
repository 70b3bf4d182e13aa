import { Trans } from '@lingui/react/macro'
import ProhibitIcon from 'virtual:icons/prohibit'
import { Link, useRouter } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useSession } from '../kit/call/session.ts'
import { paths } from '../paths.ts'
import { logOut } from '../staff/logout.ts'
import { refreshGrants } from '../staff/permissions.ts'
import { Button } from '../ui/page/Button.tsx'
import { buttonClass } from '../ui/page/buttonClass.ts'
import { PageFrame } from '../ui/page/PageFrame.tsx'

/** Shown to a clerk without any permission: says who can help, and which details to give. */
export function NoPermissionPage(): ReactNode {
  const info = useSession()
  const router = useRouter()
  const [busy, setBusy] = useState(false)
  const account = info?.staff.account ?? ''
  const storeCode = info?.store.code ?? ''

  async function checkAgain(): Promise<void> {
    setBusy(true)
    try {
      await refreshGrants()
      await router.invalidate()
    } catch {
      // Nothing new is known; the page stays as it is.
    } finally {
      setBusy(false)
    }
  }

  return (
    <PageFrame width="form">
      <div className="grid justify-items-center gap-5 text-center">
        <ProhibitIcon size={32} aria-hidden="true" className="text-ink3" />
        <h1 className="text-title">
          <Trans id="np.text">Please contact the administrator to configure permissions</Trans>
        </h1>
        <p className="text-body text-ink2">
          <Trans id="np.tell">
            Account: {account} · Store: {storeCode}
          </Trans>
        </p>
        <div className="grid w-full gap-2">
          <Button kind="filled" size="large" busy={busy} onClick={() => void checkAgain()}>
            <Trans id="np.again">Check again</Trans>
          </Button>
          <Link {...paths.manual()} className={buttonClass('text')}>
            <Trans id="man.title">User manual</Trans>
          </Link>
          <Button kind="text" onClick={logOut}>
            <Trans id="set.logout">Logout</Trans>
          </Button>
        </div>
      </div>
    </PageFrame>
  )
}
