import { useLingui } from '@lingui/react/macro'
import UserPlusIcon from 'virtual:icons/user-plus'
import { Link, useSearch } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { type ScanHandler, useScan } from '../kit/device/scan.ts'
import { BadLink } from '../member/BadLink.tsx'
import { isBadLink, type LookUp, lookUpIn, paths } from '../paths.ts'
import { usePermissions } from '../staff/permissions.ts'
import { buttonClass } from '../ui/page/buttonClass.ts'
import { Notice } from '../ui/page/Notice.tsx'
import { PageFrame } from '../ui/page/PageFrame.tsx'
import { screens, useMedia } from '../ui/page/useMedia.ts'
import { SearchBox } from './box/SearchBox.tsx'
import { useSearching } from './box/useSearching.ts'
import { RecentSearches } from './recent/RecentSearches.tsx'

/**
 * Finds one member with few keystrokes. A member opens only when the clerk asks for it. One column
 * on every width; the list that grows is last, so nothing below it moves.
 */
export function SearchPage(): ReactNode {
  const { t } = useLingui()
  const { given, bad } = useAddress()
  const [noCamera, setNoCamera] = useState<string | null>(null)
  const searching = useSearching(given, () => setNoCamera(null))
  const { busy, online, find, search } = searching
  const permissions = usePermissions()
  const hasKeypad = useMedia(screens.keypad)
  useInitialFocus(searching.input)
  useRunOnChange(given, (lookUp) => search.find([lookUp], { replace: true }))
  const hear: ScanHandler = async (text) => {
    if (!busy) await searching.scan(text)
    return true
  }
  return (
    <PageFrame width="column">
      {permissions.has('scanQrCode') ? <PageScanHandler hear={hear} /> : null}
      <h1 className="mb-4 text-title">{t({ id: 'search.title', message: 'Find a member' })}</h1>
      {bad && search.isIdle ? <BadLink /> : null}
      {noCamera === null ? null : <NoCamera said={noCamera} />}
      <SearchBox
        searching={searching}
        place="page"
        hasKeypad={hasKeypad}
        onNoCamera={setNoCamera}
      />
      {permissions.has('register') ? <Register /> : null}
      <RecentSearches disabled={busy || !online} onAgain={(by) => find([by], '')} />
    </PageFrame>
  )
}

/** Receives scans for this page. */
function PageScanHandler({ hear }: { hear: ScanHandler }) {
  useScan(hear)
  return null
}

/** The look-up in the address; `bad`: the address has one that is invalid. */
function useAddress(): { given: LookUp | null; bad: boolean } {
  const query: Record<string, unknown> = useSearch({ strict: false })
  return { given: lookUpIn(query), bad: isBadLink(query) }
}

/** Runs the address's look-up at once, and again only if it changes. */
function useRunOnChange(given: LookUp | null, find: (lookUp: LookUp) => void) {
  const run = useRef(() => {})
  useEffect(() => {
    run.current = () => given && find(given)
  })
  const named = given === null ? null : JSON.stringify(given)
  useEffect(() => {
    if (named !== null) run.current()
  }, [named])
}

/**
 * Focuses the field, so that a number can be typed right away. The page's keypad replaces the
 * device's keyboard where that would cover half of the page.
 */
function useInitialFocus(input: { current: HTMLInputElement | null }) {
  useEffect(() => input.current?.focus(), [input])
}

/** The specification's sentence (section 5), and what the clerk can do instead. */
function NoCamera({ said }: { said: string }) {
  const { t } = useLingui()
  return (
    <Notice tone="warning">
      <p>{said}</p>
      <p className="text-small text-ink2">
        {t({ id: 'scan.byHand', message: 'Please search manually.' })}
      </p>
    </Notice>
  )
}

function Register() {
  const { t } = useLingui()
  return (
    <Link {...paths.memberRegister()} className={`${buttonClass('text')} -ms-3 mt-2 self-start`}>
      <UserPlusIcon size={24} aria-hidden="true" />
      {t({ id: 'search.register', message: 'Register new member' })}
    </Link>
  )
}
