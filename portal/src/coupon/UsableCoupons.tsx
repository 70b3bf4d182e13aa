import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { Coupon } from '@tillside/contract/coupon'
import { type ReactNode, useRef, useState } from 'react'
import { Loaded } from '../kit/page/Loaded.tsx'
import { usePermissions } from '../staff/permissions.ts'
import { Block } from '../ui/page/Block.tsx'
import { EmptyLine } from '../ui/page/EmptyLine.tsx'
import { Skeleton } from '../ui/page/Skeleton.tsx'
import { useFocusAfter } from '../ui/layer/useFocusAfter.ts'
import { CouponTicket, RedeemButton } from './CouponTicket.tsx'
import { usableCouponsQuery } from './coupons.ts'
import { type RedeemMember, RedeemSheet } from './RedeemSheet.tsx'
import { stacksOf, type Stack } from './ticket.ts'
import { RedeemedTrace } from './after/RedeemedTrace.tsx'
import { UnansweredRedeems } from './after/UnansweredRedeems.tsx'
import { useUnclearCodes } from './after/useUnclearCodes.ts'

const shown = 3

type UsableCouponsProps = {
  member: RedeemMember
  /** The link to all coupons. */
  all: ReactNode
}

/** The coupons that expire first, each with its button to redeem it. */
export function UsableCoupons({ member, all }: UsableCouponsProps) {
  const { t } = useLingui()
  const title = t({ id: 'home.coupons', message: 'Coupons to use' })
  const query = useQuery(usableCouponsQuery(member.memberCode))
  const place = useRef<HTMLDivElement>(null)
  const [asked, setAsked] = useState<{ coupon: Coupon; open: boolean } | null>(null)

  const unclear = useUnclearCodes(member.memberCode)
  const isAsking = asked?.open === true
  useFocusAfter(asked !== null, place)

  const close = () => setAsked((current) => current && { ...current, open: false })
  // If the sheet was opened again during the closing animation, keep it open.
  const closed = () => setAsked((current) => (current?.open === true ? current : null))
  return (
    <div ref={place} tabIndex={-1} className="flex flex-col gap-6 outline-none">
      <Block title={title} count={query.data?.counts.ISSUED} action={all}>
        <UnansweredRedeems
          memberCode={member.memberCode}
          coupons={query.data?.items}
          hidden={isAsking}
        />
        <RedeemedTrace member={member} hidden={isAsking} />
        <Loaded query={query} name={title} skeleton={<TicketSkeletons />}>
          {({ items, nextCursor }) => (
            <Tickets
              stacks={stacksOf(
                items.filter(({ code }) => isAsking || !unclear.has(code)),
                nextCursor === null,
              ).slice(0, shown)}
              onRedeem={(coupon) => setAsked({ coupon, open: true })}
            />
          )}
        </Loaded>
      </Block>
      {asked ? (
        <RedeemSheet
          key={asked.coupon.code}
          open={asked.open}
          coupon={asked.coupon}
          member={member}
          onClose={close}
          onClosed={closed}
        />
      ) : null}
    </div>
  )
}

type TicketsProps = { stacks: readonly Stack[]; onRedeem: (coupon: Coupon) => void }

function Tickets({ stacks, onRedeem }: TicketsProps) {
  const { t } = useLingui()
  const mayRedeem = usePermissions().has('couponRedeem')
  if (stacks.length === 0) {
    return <EmptyLine>{t({ id: 'home.noCoupons', message: 'No coupons to use' })}</EmptyLine>
  }
  return (
    <ul className="flex flex-col gap-3">
      {stacks.map(({ top: coupon, count, isAll }) => (
        <li key={coupon.code}>
          <CouponTicket
            coupon={coupon}
            count={count}
            isAll={isAll}
            action={mayRedeem ? <RedeemButton coupon={coupon} onRedeem={onRedeem} /> : null}
          />
        </li>
      ))}
    </ul>
  )
}

/** Placeholders in the shape of tickets. */
export function TicketSkeletons({ count = 2 }: { count?: number }) {
  return (
    <div className="flex flex-col gap-3">
      {Array.from({ length: count }, (_, place) => (
        <Skeleton key={place} height="7rem" radius="ticket" />
      ))}
    </div>
  )
}
