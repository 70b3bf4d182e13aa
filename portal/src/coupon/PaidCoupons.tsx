import type { AssignedCoupon } from '@tillside/contract/coupon'
import { useState } from 'react'
import type { CouponsPlace } from '../points/RedeemPage.tsx'
import { AssignedList } from './AssignedList.tsx'
import { IssueSheet } from './IssueSheet.tsx'
import { useGone } from './RedeemSheet.tsx'

/** The coupons that points buy, where points are spent; asked about as where coupons are given. */
export function PaidCoupons({ member, usablePoints, paused, onOpen }: CouponsPlace) {
  const [chosen, setChosen] = useState<AssignedCoupon | null>(null)
  const [open, setOpen] = useState(false)
  const turn = (next: boolean) => {
    setOpen(next)
    onOpen(next)
  }
  // The next question begins anew, with the balance of then.
  useGone(open, () => setChosen(null))
  return (
    <>
      <AssignedList
        memberCode={member.memberCode}
        usablePoints={usablePoints}
        paused={paused}
        only="points"
        onChoose={(assigned) => {
          setChosen(assigned)
          turn(true)
        }}
      />
      {chosen === null ? null : (
        <IssueSheet
          open={open}
          member={member}
          usablePoints={usablePoints}
          assigned={chosen}
          onClose={() => turn(false)}
        />
      )}
    </>
  )
}
