import { useLingui } from '@lingui/react/macro'
import CakeIcon from 'virtual:icons/cake'
import HandCoinsIcon from 'virtual:icons/hand-coins'
import PencilSimpleIcon from 'virtual:icons/pencil-simple'
import PlusIcon from 'virtual:icons/plus'
import TicketIcon from 'virtual:icons/ticket'
import { Link } from '@tanstack/react-router'
import type { Member } from '@tillside/contract/member'
import { useDates, useToday } from '../company/calendar.ts'
import { ResignNotice } from '../consent/ResignNotice.tsx'
import { paths } from '../paths.ts'
import { usePermissions } from '../staff/permissions.ts'
import { buttonClass } from '../ui/page/buttonClass.ts'

/** Notices that the clerk should mention first. */
export function Notices({ member }: { member: Member }) {
  return (
    <>
      {member.tnc?.needsResign ? <ResignNotice member={member} /> : null}
      <Birthday birthday={member.birthday} />
    </>
  )
}

/** Shows the birthday without its year, so that the clerk can congratulate the customer. */
function Birthday({ birthday }: { birthday: string | null }) {
  const { t } = useLingui()
  const dates = useDates()
  const today = useToday()
  if (birthday === null || birthday.slice(5, 7) !== today.slice(5, 7)) return null
  const day = dates(`${today.slice(0, 4)}${birthday.slice(4)}`)
  return (
    <p className="flex items-center gap-2 text-small">
      <CakeIcon size={20} aria-hidden="true" className="shrink-0 text-ink2" />
      {t({ id: 'home.birthday', message: 'Birthday this month' })}
      <span className="num text-ink2">{day}</span>
    </p>
  )
}

/** Links that no other block of the overview has. */
export function QuickActions({ memberCode }: { memberCode: string }) {
  const { t } = useLingui()
  const permissions = usePermissions()
  const issues = permissions.has('homeIssuecoupon')
  const edits = permissions.has('userInfo')
  // The blocks of coupons and points lead to these pages, for clerks who see the blocks.
  const findsCoupons =
    !permissions.has('coupon') && (permissions.has('couponView') || permissions.has('couponRedeem'))
  const spends =
    !permissions.has('point') &&
    (permissions.has('pointRedeem') || permissions.has('pointExchange'))
  if (!issues && !edits && !findsCoupons && !spends) return null
  const look = `${buttonClass('outlined', 'small')} grow medium:grow-0`
  return (
    <div className="flex flex-wrap gap-2">
      {findsCoupons ? (
        <Link {...paths.memberTab('coupon', { code: memberCode })} className={look}>
          <TicketIcon size={20} aria-hidden="true" />
          {t({ id: 'nav.coupons', message: 'Coupons' })}
        </Link>
      ) : null}
      {spends ? (
        <Link {...paths.memberTab('point-redeem', { code: memberCode })} className={look}>
          <HandCoinsIcon size={20} aria-hidden="true" />
          {t({ id: 'nav.redeem', message: 'Redeem' })}
        </Link>
      ) : null}
      {issues ? (
        <Link {...paths.memberIssue(memberCode)} className={look}>
          <PlusIcon size={20} aria-hidden="true" />
          {t({ id: 'cpn.issue', message: 'Issue coupon' })}
        </Link>
      ) : null}
      {edits ? (
        <Link {...paths.memberTab('userinfo', { code: memberCode })} className={look}>
          <PencilSimpleIcon size={20} aria-hidden="true" />
          {t({ id: 'home.editProfile', message: 'Edit profile' })}
        </Link>
      ) : null}
    </div>
  )
}
