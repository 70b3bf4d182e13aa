import { useLingui } from '@lingui/react/macro'
import UserSwitchIcon from 'virtual:icons/user-switch'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { Navigate, useParams, useSearch } from '@tanstack/react-router'
import type { Member } from '@tillside/contract/member'
import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react'
import { AsOf } from '../kit/page/AsOf.tsx'
import { Loaded } from '../kit/page/Loaded.tsx'
import { turned, useShownMember } from '../kit/store/scene.ts'
import { isBadLink, type LookUp, lookUpIn, paths, type Query } from '../paths.ts'
import { PointsBlock, PointsSkeleton } from '../points/PointsBlock.tsx'
import { useNextCustomer } from '../search/SearchKeys.tsx'
import { usePermissions } from '../staff/permissions.ts'
import { PhoneLadder, TierBlock, TierSkeleton } from '../tier/TierBlock.tsx'
import { Button } from '../ui/page/Button.tsx'
import { PageFrame } from '../ui/page/PageFrame.tsx'
import { Skeleton } from '../ui/page/Skeleton.tsx'
import { isUnknownMember, memberQuery, membershipQuery } from '../member/member.ts'
import { FactsBelow, MemberBar, MemberFacts } from './MemberIdentity.tsx'
import { MemberPane, RedeemLink } from './MemberPane.tsx'
import { MemberTabs, tabContent } from './MemberTabs.tsx'
import { tabIn, type TabName } from './tabs.ts'

/** The pages of the member that the address names. */
export function MemberPage(): ReactNode {
  const query: Query = useSearch({ strict: false })
  const lookUp = lookUpIn(query)
  const tab = tabIn(useParams({ strict: false }).tab, usePermissions()) ?? 'view'
  if (lookUp === null) {
    return <Navigate {...paths.memberSearch(isBadLink(query) ? query : {})} replace />
  }
  // The key remounts the page for another member, so that no sheet or notice of the last one stays.
  return <MemberByLookUp key={JSON.stringify(lookUp)} by={lookUp} tab={tab} />
}

function MemberByLookUp({ by, tab }: { by: LookUp; tab: TabName }) {
  const query = useQuery(memberQuery(by))
  // The address then has only the code: a phone number there could be read by other customers.
  if (query.data && !('code' in by)) {
    return <Navigate {...paths.memberTab(tab, { code: query.data.memberCode })} replace />
  }
  if (isUnknownMember(query.error)) return <MemberNotFound />
  return <Pages query={query} code={'code' in by ? by.code : null} tab={tab} />
}

type PagesProps = {
  query: UseQueryResult<Member>
  /** Null until the look-up is answered; everything that needs the code waits. */
  code: string | null
  tab: TabName
}

/** Each block loads and fails on its own, so that the others are still shown. */
function Pages({ query, code, tab }: PagesProps) {
  const { t } = useLingui()
  const leave = useNextCustomer()
  const membership = useQuery({ ...membershipQuery(code ?? ''), enabled: code !== null })
  useShownMember(query.data ?? null, membership.data?.points?.valid ?? null)
  const who = t({ id: 'sys.member', message: 'Member' })
  // On small screens the rail's content is shown on the overview only.
  const overview = tab === 'view' ? '' : 'max-expanded:hidden!'
  const side = useRef<HTMLDivElement>(null)
  useHeightAbove(side)
  return (
    <main className={`tab-page ${columns}`}>
      <div ref={side} className={rail}>
        <div className={query.data === undefined ? unread : 'contents'}>
          <Loaded query={query} name={who} skeleton={<IdentitySkeleton overview={overview} />}>
            {(member) => (
              <>
                <MemberBar member={member} onLeave={leave} />
                <div className={`shrink-0 ${column} ${below} ${overview}`}>
                  <MemberFacts member={member} />
                </div>
              </>
            )}
          </Loaded>
        </div>
        {code === null ? null : (
          <div className={`${column} ${pair} ${below} ${overview}`}>
            <Membership memberCode={code} />
          </div>
        )}
        <div className="mt-auto hidden pt-4 expanded:block">
          <NextCustomer onClick={leave} />
        </div>
      </div>
      <div className="min-w-0 max-expanded:contents">
        {code === null ? null : <MemberTabs tab={tab} memberCode={code} />}
        <div id={tabContent} tabIndex={-1} className={`${below} outline-none expanded:p-6`}>
          <div
            className={
              `${column} flex flex-col gap-6 pt-4 pb-5 medium:pt-5 ` +
              'expanded:max-w-[56rem] expanded:py-0'
            }
          >
            {code === null ? null : <MemberPane query={query} code={code} tab={tab} />}
            {code !== null && tab === 'view' ? <LadderBelow memberCode={code} /> : null}
            {query.data && tab === 'view' ? <FactsBelow member={query.data} /> : null}
            {query.data ? <TurnButton /> : null}
            <div className={`after-tray expanded:hidden ${query.data ? 'max-medium:hidden' : ''}`}>
              <NextCustomer onClick={leave} />
            </div>
          </div>
        </div>
      </div>
    </main>
  )
}

const columns = 'flex flex-1 flex-col expanded:grid expanded:grid-cols-[21.25rem_minmax(0,1fr)]'

// The rail is next to the workspace on large screens, and does not scroll with it.
const rail =
  'max-expanded:contents expanded:sticky expanded:top-14 expanded:flex expanded:flex-col ' +
  'expanded:max-h-[calc(100dvh-var(--above,3.5rem))] expanded:gap-1 expanded:overflow-y-auto ' +
  'expanded:border-e expanded:border-line expanded:bg-surface expanded:p-5 expanded:*:shrink-0'

// Below the tabs, where the tabs are above the page.
const below = 'max-expanded:order-1'

// Tier and points next to each other on phones and on a tablet in portrait; with large letters they
// are below each other. On a phone the tier has more room, because its number is the larger one.
const pair =
  'mt-3 flex gap-3 max-medium:flex-wrap max-medium:[--text-figure-l:1.5rem] ' +
  'medium:gap-4 medium:max-expanded:grid medium:max-expanded:grid-cols-2 expanded:flex-col'
const tierCell = 'min-w-0 max-medium:flex-[1.3_1_9rem]'

// The rail already looks like a card; elsewhere the points get a card of their own.
const card =
  'min-w-0 max-medium:flex-[1_1_7.5rem] max-expanded:rounded-card max-expanded:border ' +
  'max-expanded:border-line ' +
  'max-expanded:bg-surface max-medium:p-3 medium:max-expanded:p-5 expanded:px-1 expanded:pt-1'

// One column on small and medium screens, as wide as a page held in the hand.
const column = 'mx-auto w-full max-w-[40rem] px-4 expanded:mx-0 expanded:px-0'

// The member's bar uses the full width of a small screen; a notice in its place needs a margin.
const unread = 'max-expanded:[&_output]:px-4 max-expanded:[&>[role=alert]]:m-4'

/**
 * Measures the height above the page for the rail, the page's first column. Bars for a new version,
 * a lost network and unanswered requests push the page down, and the end of the rail must stay
 * inside the window.
 */
function useHeightAbove(side: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const { current } = side
    const page = current?.parentElement ?? null
    if (current === null || page === null) return undefined
    const watch = new ResizeObserver(() => {
      current.style.setProperty('--above', `${page.offsetTop}px`)
    })
    // A short page shrinks when a bar appears above it; with a long page the document grows.
    watch.observe(page)
    watch.observe(document.body)
    return () => watch.disconnect()
  }, [side])
}

function Membership({ memberCode }: { memberCode: string }) {
  const { t } = useLingui()
  const permissions = usePermissions()
  const query = useQuery(membershipQuery(memberCode))
  return (
    <>
      {permissions.has('homeMembertier') ? (
        <div className={tierCell}>
          <Loaded
            query={query}
            name={t({ id: 'tier.title', message: 'Tier' })}
            skeleton={<TierSkeleton />}
          >
            {({ tier }) => (tier ? <TierBlock standing={tier} memberCode={memberCode} /> : null)}
          </Loaded>
        </div>
      ) : null}
      {permissions.has('point') ? (
        <div className={card}>
          <Loaded
            query={query}
            name={t({ id: 'home.points', message: 'Points' })}
            skeleton={<PointsSkeleton />}
          >
            {({ points }) =>
              points ? (
                <PointsBlock
                  points={points}
                  memberCode={memberCode}
                  action={<RedeemLink memberCode={memberCode} />}
                />
              ) : null
            }
          </Loaded>
        </div>
      ) : null}
      <div className="basis-full empty:hidden">
        <AsOf
          updatedAt={query.dataUpdatedAt}
          busy={query.isFetching}
          onRefresh={() => void query.refetch()}
        />
      </div>
    </>
  )
}

function LadderBelow({ memberCode }: { memberCode: string }) {
  const tier = useQuery(membershipQuery(memberCode)).data?.tier ?? null
  return tier === null ? null : <PhoneLadder standing={tier} memberCode={memberCode} />
}

/** A phone's member page has no settings, so it has their button for the customer's view. */
function TurnButton() {
  const { t } = useLingui()
  return (
    <div className="medium:hidden">
      <Button
        kind="text"
        className="-ms-3"
        icon={<UserSwitchIcon size={20} aria-hidden="true" />}
        onClick={() => turned.set(true)}
      >
        {t({ id: 'set.turn', message: 'Turn to customer' })}
      </Button>
    </div>
  )
}

function NextCustomer({ onClick }: { onClick: () => void }) {
  const { t } = useLingui()
  return (
    <Button
      kind="text"
      className="-ms-3"
      aria-keyshortcuts="Alt+N"
      icon={<UserSwitchIcon size={20} aria-hidden="true" />}
      onClick={onClick}
    >
      {t({ id: 'home.next', message: 'Next customer' })}
    </Button>
  )
}

function MemberNotFound() {
  const { t } = useLingui()
  const leave = useNextCustomer()
  return (
    <PageFrame width="page">
      <div className="mx-auto flex w-full max-w-[40rem] flex-col gap-4">
        <h1 className="text-title">{t({ id: 'search.none', message: 'No Member Found' })}</h1>
        <div>
          <NextCustomer onClick={leave} />
        </div>
      </div>
    </PageFrame>
  )
}

/**
 * A placeholder with the height of the member's identity in both layouts, so that nothing below
 * moves.
 */
function IdentitySkeleton({ overview }: { overview: string }) {
  return (
    <div>
      <div
        className={
          'member-bar flex min-h-14 items-center border-b border-line bg-surface px-4 ' +
          'expanded:border-0 expanded:px-0'
        }
      >
        <Skeleton width="12rem" height="1.75rem" />
      </div>
      <div className={`${column} ${below} ${overview}`}>
        <div className="flex min-h-12 items-center">
          <Skeleton width="16rem" height="1.25rem" />
        </div>
        <span className="max-medium:hidden">
          <Skeleton width="14rem" height="1.5rem" />
        </span>
      </div>
    </div>
  )
}
