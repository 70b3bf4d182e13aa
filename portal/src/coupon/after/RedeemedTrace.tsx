import { useLingui } from '@lingui/react/macro'
import ArrowCounterClockwiseIcon from 'virtual:icons/arrow-counter-clockwise'
import { useQuery } from '@tanstack/react-query'
import type { Coupon } from '@tillside/contract/coupon'
import { useState } from 'react'
import { useDates } from '../../company/calendar.ts'
import { useOnline } from '../../kit/device/online.ts'
import { usePermissions } from '../../staff/permissions.ts'
import { Button } from '../../ui/page/Button.tsx'
import { CouponTicket } from '../CouponTicket.tsx'
import { redeemedQuery } from '../coupons.ts'
import { type RedeemMember, UndoRedeem, useAfterClose } from '../RedeemSheet.tsx'
import { useCanUndo } from './useCanUndo.ts'

type RedeemedTraceProps = {
  member: RedeemMember
  /** Hides the tickets while a sheet shows the result. */
  hidden: boolean
}

/** The torn tickets of this visit, with their time and Undo, until "Next customer". */
export function RedeemedTrace({ member, hidden }: RedeemedTraceProps) {
  const { t } = useLingui()
  const { data: coupons = [] } = useQuery(redeemedQuery(member.memberCode))
  const [undoing, setUndoing] = useState<{ coupon: Coupon; open: boolean } | null>(null)
  if ((coupons.length === 0 || hidden) && undoing === null) return null
  return (
    <>
      <section aria-label={t({ id: 'cpn.justUsed', message: 'Redeemed just now' })}>
        <ul className="flex flex-col gap-3">
          {coupons.map((coupon) => (
            <li key={coupon.code}>
              <CouponTicket
                coupon={coupon}
                more={
                  <Undoable coupon={coupon} onUndo={() => setUndoing({ coupon, open: true })} />
                }
              />
            </li>
          ))}
        </ul>
      </section>
      {undoing === null ? null : (
        <Undoing
          {...undoing}
          member={member}
          onClose={() => setUndoing({ ...undoing, open: false })}
          onClosed={() => setUndoing(null)}
        />
      )}
    </>
  )
}

function Undoable({ coupon, onUndo }: { coupon: Coupon; onUndo: () => void }) {
  const { t } = useLingui()
  const dates = useDates()
  const online = useOnline()
  const mayRedeem = usePermissions().has('couponRedeem')
  const canUndo = useCanUndo(coupon) && mayRedeem
  const undo = t({ id: 'undo.open', message: 'Undo' })
  return (
    <>
      {coupon.redeemDate === null ? null : <p>{dates(coupon.redeemDate, 'long')}</p>}
      {canUndo ? (
        <Button
          kind="text"
          size="small"
          className="-ms-4"
          aria-label={`${undo}, ${coupon.name}`}
          disabled={!online}
          icon={<ArrowCounterClockwiseIcon size={20} aria-hidden="true" />}
          onClick={onUndo}
        >
          {undo}
        </Button>
      ) : null}
    </>
  )
}

type UndoingProps = {
  member: RedeemMember
  coupon: Coupon
  open: boolean
  onClose: () => void
  onClosed: () => void
}

/** Stays mounted while it closes, also when its ticket has gone. */
function Undoing({ onClosed, ...undo }: UndoingProps) {
  useAfterClose(undo.open, onClosed)
  return <UndoRedeem {...undo} />
}
