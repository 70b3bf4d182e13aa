import { useLingui } from '@lingui/react/macro'
import { plural } from '@lingui/core/macro'
import TicketIcon from 'virtual:icons/ticket-fill'
import { useQueryClient } from '@tanstack/react-query'
import type { Coupon } from '@tillside/contract/coupon'
import { useState } from 'react'
import { isBusy } from '../kit/action/action.ts'
import { ActionButtons } from '../kit/action/ActionButtons.tsx'
import { AllowanceHint } from '../kit/action/AllowanceHint.tsx'
import { ActionNotice } from '../kit/action/ActionNotice.tsx'
import { DoneButtons } from '../kit/action/DoneButtons.tsx'
import { useOnline } from '../kit/device/online.ts'
import { useSession } from '../kit/call/session.ts'
import { useAction, useOnAnswered } from '../kit/action/useAction.ts'
import { deedStep, noDeed, shownCoupon, useShownDeed } from '../kit/store/scene.ts'
import { Button } from '../ui/page/Button.tsx'
import { Sheet } from '../ui/layer/Sheet.tsx'
import { CouponSlip } from '../slip/CouponSlip.tsx'
import { CouponTicket } from './CouponTicket.tsx'
import { applyRedemption, invalidateMember } from './coupons.ts'
import { createBatch, type RefusedCoupons } from './redeem.ts'
import { MemberAndStore, type RedeemMember, useUndoNote } from './RedeemSheet.tsx'

type BatchSheetProps = {
  open: boolean
  coupons: readonly Coupon[]
  member: RedeemMember
  onRedeemed: () => void
  /** The clerk wants to continue without the refused coupons. */
  onWithout: (coupons: Coupon[]) => void
  onClose: () => void
}

const noneRefused: RefusedCoupons = new Map()

/** Redeems several coupons, all or none. The reason of each refusal is shown at its ticket. */
export function BatchSheet(props: BatchSheetProps) {
  const { open, coupons, member, onRedeemed, onWithout, onClose } = props
  const { t } = useLingui()
  const queries = useQueryClient()
  const clerk = useSession()
  const note = useUndoNote()
  const [refused, setRefused] = useState(noneRefused)
  const codes = coupons.map(({ code }) => code)
  const { state, action } = useAction(
    clerk && (() => createBatch(clerk, member.memberCode, codes, setRefused)),
    JSON.stringify(codes),
  )
  useOnAnswered(state, () => {
    if (state.step === 'done') {
      applyRedemption(queries, member.memberCode, state.data.coupons)
      onRedeemed()
    } else invalidateMember(queries, member.memberCode)
  })
  const asked = { ...noDeed, kind: 'redeem' as const, coupons: coupons.map(shownCoupon) }
  useShownDeed(open ? { ...asked, step: deedStep(state.step) } : null)
  if (action === null) return null
  const n = coupons.length
  const done = state.step === 'done'
  const refusedBefore = state.step === 'refused' ? refused : noneRefused
  const left = coupons.filter(({ code }) => !refusedBefore.has(code))
  // Refused coupons are listed first, because the clerk has to look at them.
  const blocked = coupons.filter(({ code }) => refusedBefore.has(code))
  const shown = done ? state.data.coupons : [...blocked, ...left]
  const close = () => {
    action.close()
    onClose()
  }
  return (
    <Sheet
      open={open}
      onClose={close}
      busy={isBusy(state)}
      title={
        done
          ? t({
              id: 'bat.ok',
              message: plural(n, { one: '# coupon redeemed', other: '# coupons redeemed' }),
            })
          : t({
              id: 'bat.q',
              message: plural(n, { one: 'Redeem # coupon?', other: 'Redeem # coupons?' }),
            })
      }
      note={done ? null : note}
      actions={
        done ? (
          <DoneButtons onClose={close} />
        ) : refusedBefore.size > 0 && left.length > 0 ? (
          <WithoutButtons left={left} onWithout={onWithout} onClose={close} />
        ) : (
          <ActionButtons
            state={state}
            action={action}
            onClose={close}
            label={t({
              id: 'bat.do',
              message: plural(n, { one: 'Redeem # coupon', other: 'Redeem # coupons' }),
            })}
            busyLabel={t({ id: 'rdm.busy', message: 'Redeeming…' })}
          />
        )
      }
    >
      <ActionNotice
        state={state}
        unknown={t({
          id: 'rdm.unknown',
          message: "We couldn't confirm the result. Do not redeem again before checking.",
        })}
        waiting={t({
          id: 'rdm.waiting',
          message: "Still waiting for the server. Please don't redeem again.",
        })}
        intact={t({ id: 'bat.intact', message: 'No coupon has been redeemed.' })}
      />
      <AllowanceHint allowance={done ? state.data.allowance : undefined} />
      {done ? <CouponSlip coupons={state.data.coupons} operation={action.operation()} /> : null}
      <MemberAndStore member={member} step={state.step} />
      <ul className="flex flex-col gap-3">
        {shown.map((coupon) => (
          <li key={coupon.code} className="flex flex-col gap-1">
            <CouponTicket
              coupon={coupon}
              action={<TicketIcon size={28} className="text-ink2" aria-hidden="true" />}
              tearing={done}
              whole
            />
            {refusedBefore.has(coupon.code) ? (
              <p className="px-[16px] text-small text-danger">{refusedBefore.get(coupon.code)}</p>
            ) : null}
          </li>
        ))}
      </ul>
    </Sheet>
  )
}

type WithoutButtonsProps = {
  left: Coupon[]
  onWithout: (coupons: Coupon[]) => void
  onClose: () => void
}

/** Continues without the refused coupons, after asking again. */
function WithoutButtons({ left, onWithout, onClose }: WithoutButtonsProps) {
  const { t } = useLingui()
  const n = left.length
  return (
    <>
      <Button kind="filled" size="large" onClick={() => onWithout(left)}>
        {t({
          id: 'bat.without',
          message: plural(n, { one: 'Continue with # coupon', other: 'Continue with # coupons' }),
        })}
      </Button>
      <Button kind="text" size="large" onClick={onClose}>
        {t({ id: 'common.close', message: 'Close' })}
      </Button>
    </>
  )
}

type BatchTrayProps = {
  picked: number
  /** The selection has reached the limit of one request. */
  full: boolean
  onAll: () => void
  onCancel: () => void
  onRedeem: () => void
}

/** How many coupons are selected, and the buttons for them. */
export function BatchTray({ picked: n, full, onAll, onCancel, onRedeem }: BatchTrayProps) {
  const { t } = useLingui()
  const online = useOnline()
  return (
    <div className="tray">
      <output className="num text-strong">
        {full
          ? t({ id: 'bat.full', message: `${n} selected. This is the maximum.` })
          : t({ id: 'bat.selected', message: `${n} selected` })}
      </output>
      <span className="flex gap-1 max-medium:ms-auto">
        <Button kind="text" size="small" onClick={onAll}>
          {t({ id: 'bat.all', message: 'Select all' })}
        </Button>
        <Button kind="text" size="small" onClick={onCancel}>
          {t({ id: 'bat.cancel', message: 'Cancel' })}
        </Button>
      </span>
      <span className="flex flex-col medium:ms-auto max-medium:w-full">
        <Button
          kind="filled"
          disabled={!online || n === 0}
          reason={
            online
              ? t({ id: 'bat.none', message: 'Select at least one coupon' })
              : t({ id: 'off.bar', message: "You're offline. Redeeming is paused." })
          }
          onClick={onRedeem}
        >
          {n === 0
            ? t({ id: 'cpn.redeem', message: 'Redeem' })
            : t({
                id: 'bat.do',
                message: plural(n, { one: 'Redeem # coupon', other: 'Redeem # coupons' }),
              })}
        </Button>
      </span>
    </div>
  )
}
