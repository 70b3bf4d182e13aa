import { useLingui } from '@lingui/react/macro'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { Member } from '@tillside/contract/member'

import { UnansweredRedeems } from '../coupon/after/UnansweredRedeems.tsx'
import { TicketSkeletons, UsableCoupons } from '../coupon/UsableCoupons.tsx'
import { Loaded } from '../kit/page/Loaded.tsx'
import { fullName } from '@tillside/contract/rules/person'
import { paths } from '../paths.ts'
import { PointsSkeleton } from '../points/PointsBlock.tsx'
import { UnansweredSpends } from '../points/UnansweredSpends.tsx'
import { usePermissions } from '../staff/permissions.ts'
import { LastTransaction } from '../transaction/LastTransaction.tsx'
import { buttonClass } from '../ui/page/buttonClass.ts'
import { EmptyLine } from '../ui/page/EmptyLine.tsx'
import { Skeleton } from '../ui/page/Skeleton.tsx'
import { membershipQuery } from '../member/member.ts'
import { Notices, QuickActions } from './Overview.tsx'
import { type TabName, tabsOf } from './tabs.ts'
import { later } from '../ui/load/later.tsx'

const skeleton = <Skeleton height="8rem" radius="card" />
const CouponsPage = later(
  async () => (await import('../coupon/CouponsPage.tsx')).CouponsPage,
  <TicketSkeletons count={3} />,
)
const PointsPage = later(
  async () => (await import('../points/PointsPage.tsx')).PointsPage,
  skeleton,
)
const TransactionsPage = later(
  async () => (await import('../transaction/TransactionsPage.tsx')).TransactionsPage,
  skeleton,
)
const ProfilePage = later(
  async () => (await import('../profile/ProfilePage.tsx')).ProfilePage,
  skeleton,
)
const PaidCoupons = later(
  async () => (await import('../coupon/IssuePanel.tsx')).PaidCoupons,
  skeleton,
)
const RedeemPage = later(
  async () => (await import('../points/RedeemPage.tsx')).RedeemPage,
  skeleton,
)

type PaneProps = { query: UseQueryResult<Member>; code: string; tab: TabName }

/** The content of the tab. */
export function MemberPane({ query, code, tab }: PaneProps) {
  if (tab === 'view') {
    // A placeholder keeps the blocks below in place until the member is loaded.
    if (query.data === undefined) return query.isPending ? <TicketSkeletons count={3} /> : null
    return <Workspace member={query.data} />
  }
  if (tab === 'coupon') return <Coupons query={query} memberCode={code} />
  if (tab === 'userinfo') return query.data && <ProfilePage key={code} member={query.data} />
  if (tab === 'transaction') return <Transactions key={code} memberCode={code} />
  if (tab === 'point-redeem') return <Redeeming query={query} memberCode={code} />
  return <PointsPage key={code} memberCode={code} action={<RedeemLink memberCode={code} />} />
}

/** Waits for the member, because every confirmation names the coupons' owner. */
function Coupons({ query, memberCode }: { query: UseQueryResult<Member>; memberCode: string }) {
  const navigate = useNavigate()
  const { coupon, issue }: Record<string, unknown> = useSearch({ strict: false })
  const membership = useQuery(membershipQuery(memberCode))
  const open = (code: string, replace: boolean) =>
    void navigate({ ...paths.memberTab('coupon', { code }), replace })
  if (query.data === undefined) return query.isPending ? <TicketSkeletons count={3} /> : null
  return (
    <CouponsPage
      key={memberCode}
      member={{ memberCode, name: fullName(query.data), tier: query.data.tier?.name ?? null }}
      usablePoints={membership.data?.points?.valid ?? null}
      onOpenMember={(code) => open(code, false)}
      wanted={typeof coupon === 'string' ? coupon : null}
      issuing={issue !== undefined}
      // Without the coupon in the address, a reload does not ask about it again.
      onHandled={() => open(memberCode, true)}
    />
  )
}

/** The open receipt is part of the address, so that the back button and a reload work. */
function Transactions({ memberCode }: { memberCode: string }) {
  const navigate = useNavigate()
  const { invoice }: Record<string, unknown> = useSearch({ strict: false })
  const open = typeof invoice === 'string' && invoice !== '' ? invoice : null
  const show = (next: string | null) => {
    const to =
      next === null
        ? paths.memberTab('transaction', { code: memberCode })
        : paths.memberReceipt(memberCode, next)
    // Going from one receipt to the next adds no step to the browser's history.
    void navigate({ ...to, replace: open !== null, resetScroll: false })
  }
  return <TransactionsPage memberCode={memberCode} open={open} onOpen={show} />
}

/** Waits for the member and the balance: nothing may be spent before both are known. */
function Redeeming({ query, memberCode }: { query: UseQueryResult<Member>; memberCode: string }) {
  const { t } = useLingui()
  const membership = useQuery(membershipQuery(memberCode))
  const name = t({ id: 'home.points', message: 'Points' })
  if (query.data === undefined) return <PointsSkeleton />
  const member = { memberCode, name: fullName(query.data), tier: query.data.tier?.name ?? null }
  return (
    <Loaded query={membership} name={name} skeleton={<PointsSkeleton />}>
      {({ points }) => <RedeemPage member={member} points={points} Coupons={PaidCoupons} />}
    </Loaded>
  )
}

/** The link to spend points, for clerks who may do so. */
export function RedeemLink({ memberCode }: { memberCode: string }) {
  const { t } = useLingui()
  if (!tabsOf(usePermissions()).includes('point-redeem')) return null
  return (
    <Link
      {...paths.memberTab('point-redeem', { code: memberCode })}
      className={`${buttonClass('outlined', 'small')} shrink-0`}
    >
      {t({ id: 'home.redeem', message: 'Redeem' })}
    </Link>
  )
}

function Workspace({ member }: { member: Member }) {
  const permissions = usePermissions()
  const { memberCode } = member
  const spends = permissions.has('pointRedeem') || permissions.has('pointExchange')
  return (
    <>
      <Notices member={member} />
      {spends ? <UnansweredSpends memberCode={memberCode} /> : null}
      {permissions.has('coupon') ? (
        <UsableCoupons
          member={{ memberCode, name: fullName(member), tier: member.tier?.name ?? null }}
          all={<ShowAllLink tab="coupon" memberCode={memberCode} />}
        />
      ) : (
        // Unanswered requests can be checked even by a clerk who may no longer see coupons.
        <UnansweredRedeems memberCode={memberCode} />
      )}
      {permissions.has('transaction') ? (
        <LastTransaction
          memberCode={memberCode}
          all={<ShowAllLink tab="transaction" memberCode={memberCode} />}
        />
      ) : null}
      {permissions.has('homeMembertier') || tabsOf(permissions).length > 1 ? null : (
        <NothingGranted />
      )}
      <QuickActions memberCode={memberCode} />
    </>
  )
}

/** The link from a block of the overview to the page with the whole list. */
function ShowAllLink({ tab, memberCode }: { tab: 'coupon' | 'transaction'; memberCode: string }) {
  const { t } = useLingui()
  const names = {
    coupon: t({ id: 'nav.coupons', message: 'Coupons' }),
    transaction: t({ id: 'nav.transactions', message: 'Transactions' }),
  }
  const all = t({ id: 'home.all', message: 'All' })
  return (
    <Link
      {...paths.memberTab(tab, { code: memberCode })}
      className={`${buttonClass('text', 'small')} min-w-11`}
      aria-label={`${all}, ${names[tab]}`}
    >
      {all}
    </Link>
  )
}

/** Shown if the clerk may only find the member. */
function NothingGranted() {
  const { t } = useLingui()
  return (
    <EmptyLine>
      {t({
        id: 'np.text',
        message: 'Please contact the administrator to configure permissions',
      })}
    </EmptyLine>
  )
}
