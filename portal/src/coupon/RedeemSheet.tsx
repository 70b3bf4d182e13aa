import { useLingui } from '@lingui/react/macro'
import TicketIcon from 'virtual:icons/ticket-fill'
import { useQueryClient } from '@tanstack/react-query'
import type { Coupon } from '@tillside/contract/coupon'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useConfig } from '../company/config.ts'
import { type ActionState, isBusy } from '../kit/action/action.ts'
import { ActionButtons } from '../kit/action/ActionButtons.tsx'
import { AllowanceHint } from '../kit/action/AllowanceHint.tsx'
import { ActionNotice } from '../kit/action/ActionNotice.tsx'
import { DoneButtons } from '../kit/action/DoneButtons.tsx'
import { useSession } from '../kit/call/session.ts'
import { TurnButton } from '../kit/action/TurnButton.tsx'
import { UndoSheet } from '../kit/action/UndoSheet.tsx'
import { ReceiptRow } from '../ui/paper/ReceiptRow.tsx'
import { deedStep, forgetDeed, noDeed, shownCoupon, useShownDeed } from '../kit/store/scene.ts'
import { Sheet } from '../ui/layer/Sheet.tsx'
import { useOpening } from '../ui/layer/useOpening.ts'
import { CouponSlip } from '../slip/CouponSlip.tsx'
import { CouponTicket } from './CouponTicket.tsx'
import { forgetRedeemed, invalidateMember } from './coupons.ts'
import { createCouponUndo, useRedeem } from './redeem.ts'

/**
 * The coupon's owner, as shown to the clerk before confirming. `tier` is null if the clerk may not
 * see it.
 */
export type RedeemMember = { memberCode: string; name: string; tier: string | null }

type RedeemSheetProps = {
  open: boolean
  coupon: Coupon
  member: RedeemMember
  onClose: () => void
  /** Called when the closing animation has ended. */
  onClosed: () => void
}

const closeAnimationMs = 240

/**
 * Asks for confirmation and shows the result. A sheet ignores the second tap of a double tap, so it
 * cannot confirm.
 */
export function RedeemSheet(props: RedeemSheetProps) {
  return <Redemption key={useOpening(props.open)} {...props} />
}

function Redemption(props: RedeemSheetProps) {
  const { open, coupon, member, onClose, onClosed } = props
  const { t } = useLingui()
  const { state, redeem } = useRedeem(member.memberCode, coupon.code)
  const [undoing, setUndoing] = useState(false)
  const note = useUndoNote()
  const mayUndo = useUndoMinutes() > 0
  useAfterClose(open, onClosed)
  const shown = { ...noDeed, kind: 'redeem' as const, coupons: [shownCoupon(coupon)] }
  useShownDeed(open ? { ...shown, step: deedStep(state.step) } : null)
  if (redeem === null) return null
  const done = state.step === 'done'
  const close = () => {
    redeem.close()
    onClose()
  }
  if (undoing && done) {
    return <UndoRedeem open={open} coupon={state.data} member={member} onClose={close} />
  }
  return (
    <Sheet
      open={open}
      onClose={close}
      busy={isBusy(state)}
      title={
        done
          ? t({ id: 'rdm.ok', message: 'Coupon redeemed successfully' })
          : t({ id: 'rdm.q', message: 'Redeem this coupon?' })
      }
      note={done ? null : note}
      actions={
        done ? (
          <DoneButtons onClose={close} onUndo={mayUndo ? () => setUndoing(true) : undefined} />
        ) : (
          <ActionButtons
            state={state}
            action={redeem}
            onClose={close}
            label={t({ id: 'rdm.do', message: 'Redeem coupon' })}
            busyLabel={t({ id: 'rdm.busy', message: 'Redeeming…' })}
          />
        )
      }
    >
      <CouponTicket
        coupon={done ? state.data : { ...coupon, redeemable: true }}
        action={<TicketIcon size={28} className="text-ink2" aria-hidden="true" />}
        tearing={done}
        whole
      />
      <MemberAndStore member={member} step={state.step} />
      {done ? <CouponSlip coupons={[state.data]} operation={redeem.operation()} /> : null}
      <AllowanceHint allowance={done ? state.data.allowance : undefined} />
      <RedeemNotice state={state} />
    </Sheet>
  )
}

/** Calls `onClosed` after the closing animation of a sheet. */
export function useAfterClose(open: boolean, onClosed: () => void): void {
  const gone = useRef(onClosed)
  useEffect(() => {
    gone.current = onClosed
  })
  useEffect(() => {
    if (open) return undefined
    const timer = setTimeout(() => gone.current(), closeAnimationMs)
    return () => clearTimeout(timer)
  }, [open])
}

/** For how many minutes a redemption can be undone; 0 if it cannot, or until this is known. */
export function useUndoMinutes(): number {
  return useConfig()?.undoMinutes ?? 0
}

/** Says before the confirmation whether the redemption can be undone. */
export function useUndoNote(): string {
  const { t } = useLingui()
  const minutes = useUndoMinutes()
  return minutes > 0
    ? t({ id: 'rdm.undoWithin', message: `Can be undone at this store for ${minutes} minutes.` })
    : t({ id: 'rdm.undo', message: "This can't be undone." })
}

/** The member and the store of a redemption. */
export function MemberAndStore({
  member,
  step,
  children,
}: {
  member: RedeemMember
  /** The step of the request. */
  step: string
  children?: ReactNode
}) {
  const { t } = useLingui()
  const clerk = useSession()
  if (clerk === null) return null
  return (
    <div>
      <ReceiptRow
        label={t({ id: 'sys.member', message: 'Member' })}
        value={member.tier === null ? member.name : `${member.name} · ${member.tier}`}
      />
      <ReceiptRow
        label={t({ id: 'sys.store', message: 'Store' })}
        value={
          <>
            {clerk.store.name} <span className="text-ink2">{clerk.store.code}</span>
          </>
        }
      />
      {children}
      <TurnButton step={step} />
    </div>
  )
}

function RedeemNotice({ state }: { state: ActionState<unknown> }) {
  const { t } = useLingui()
  return (
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
      intact={t({ id: 'rdm.intact', message: 'The coupon has not been redeemed.' })}
    />
  )
}

type UndoRedeemProps = {
  open: boolean
  coupon: Coupon
  member: RedeemMember
  onClose: () => void
}

/** Undoes a redemption. The server decides whether this is still allowed. */
export function UndoRedeem({ open, coupon: used, member, onClose }: UndoRedeemProps) {
  const { t } = useLingui()
  const queries = useQueryClient()
  const clerk = useSession()
  if (clerk === null) return null
  const { memberCode, name } = member
  const coupon = used.name
  return (
    <UndoSheet
      open={open}
      note={t({ id: 'undo.coupon', message: `${coupon} can be used again by ${name}.` })}
      make={(reason) => createCouponUndo(clerk, { couponCode: used.code, memberCode, reason })}
      onAnswered={(isDone) => {
        if (isDone) forgetRedeemed(queries, memberCode, used.code)
        forgetDeed()
        invalidateMember(queries, memberCode)
      }}
      onClose={onClose}
    />
  )
}
