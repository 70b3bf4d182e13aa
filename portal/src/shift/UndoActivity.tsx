import { useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import type { Activity } from '@tillside/contract/activity'
import type { LoginInfo } from '@tillside/contract/auth'
import type { ReactNode } from 'react'
import { createCouponUndo } from '../coupon/redeem.ts'
import type { Action } from '../kit/action/action.ts'
import type { Giving } from '../kit/action/AllowanceHint.tsx'
import { UndoSheet } from '../kit/action/UndoSheet.tsx'
import { formatPoints } from '../kit/text/format.ts'
import { createUndo } from '../points/spend.ts'

type UndoProps = { asked: Activity; clerk: LoginInfo; open: boolean; onClose: () => void }

/** Asks for the reason and undoes a redemption; its gift or coupon is named. */
export function UndoActivity({ asked, clerk, open, onClose }: UndoProps): ReactNode {
  const { t } = useLingui()
  const queries = useQueryClient()
  const { memberCode, memberName, entryId, couponCode } = asked
  const name = memberName ?? memberCode ?? ''
  const n = formatPoints(Math.abs(asked.points ?? 0))
  const coupon = asked.couponName ?? couponCode ?? ''
  const gift = asked.giftName ?? asked.couponName
  if (memberCode === null) return null
  const make = (reason: string): Action<Giving> =>
    entryId === null
      ? createCouponUndo(clerk, { memberCode, couponCode: couponCode ?? '', reason })
      : createUndo(clerk, { memberCode, entryId, reason })
  const back = t({ id: 'undo.points', message: `${n} points go back to ${name}.` })
  return (
    <UndoSheet
      open={open}
      note={
        entryId === null
          ? t({ id: 'undo.coupon', message: `${coupon} can be used again by ${name}.` })
          : gift === null
            ? back
            : t({ id: 'undo.thing', message: `${gift}: ${back}` })
      }
      make={make}
      onAnswered={() => {
        void queries.invalidateQueries({ queryKey: ['shift'] })
        void queries.invalidateQueries({ queryKey: ['member', memberCode] })
      }}
      onClose={onClose}
    />
  )
}
