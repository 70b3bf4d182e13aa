import { maxQuantity } from '@tillside/contract/rules/supply'
import { useLingui } from '@lingui/react/macro'
import ArrowLeftIcon from 'virtual:icons/arrow-left'
import { useQueryClient } from '@tanstack/react-query'
import type { AssignedCoupon, Coupon } from '@tillside/contract/coupon'
import { useState } from 'react'
import { isBusy } from '../kit/action/action.ts'
import { ActionButtons } from '../kit/action/ActionButtons.tsx'
import { AllowanceHint, type Giving } from '../kit/action/AllowanceHint.tsx'
import { ActionNotice } from '../kit/action/ActionNotice.tsx'
import { DoneButtons } from '../kit/action/DoneButtons.tsx'
import { useSession } from '../kit/call/session.ts'
import { useAction, useOnAnswered } from '../kit/action/useAction.ts'
import { Stepper } from '../points/Gifts.tsx'
import type { PaidCouponsProps } from '../points/RedeemPage.tsx'
import { createIssueByPoints, requestName, unansweredSpends } from '../points/spend.ts'
import {
  BeforeAfter,
  SpendPreview,
  type SpendPreviewed,
  useSpendPreview,
} from '../points/SpendSheet.tsx'
import { deedStep, noDeed, shownCoupon, useShownDeed } from '../kit/store/scene.ts'
import { Button } from '../ui/page/Button.tsx'
import { Sheet } from '../ui/layer/Sheet.tsx'
import { useOpening } from '../ui/layer/useOpening.ts'
import { Ticket } from '../ui/paper/Ticket.tsx'
import { AssignedList } from './AssignedList.tsx'
import { CouponSlip } from '../slip/CouponSlip.tsx'
import { CouponLines, CouponTicket } from './CouponTicket.tsx'
import { invalidateMember } from './coupons.ts'
import { createIssue } from './redeem.ts'
import { MemberAndStore, type RedeemMember, useAfterClose } from './RedeemSheet.tsx'

type IssuePanelProps = {
  open: boolean
  member: RedeemMember
  usablePoints: number | null
  onIssued: () => void
  onClose: () => void
}

/** Issues a coupon: first the list of coupons, then the question in the same sheet. */
export function IssuePanel(props: IssuePanelProps) {
  const { open, member, usablePoints, onClose } = props
  const [chosen, setChosen] = useState<AssignedCoupon | null>(null)
  const { t } = useLingui()
  const clerk = useSession()
  if (chosen !== null) {
    return <IssueSheet {...props} assigned={chosen} onBack={() => setChosen(null)} />
  }
  const waits = clerk !== null && unansweredSpends(clerk, member.memberCode).length > 0
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={t({ id: 'cpn.issue', message: 'Issue coupon' })}
      aside={t({ id: 'common.close', message: 'Close' })}
      actions={null}
    >
      <AssignedList
        memberCode={member.memberCode}
        usablePoints={usablePoints}
        paused={
          waits ? t({ id: 'ex.checkFirst', message: 'Check the last redemption first.' }) : null
        }
        onChoose={setChosen}
      />
    </Sheet>
  )
}

/**
 * The coupons that points can buy, on the page for spending points. The question is the same as in
 * `IssuePanel`.
 */
export function PaidCoupons({ member, usablePoints, paused, onOpen }: PaidCouponsProps) {
  const [chosen, setChosen] = useState<AssignedCoupon | null>(null)
  const [open, setOpen] = useState(false)
  const changeOpen = (next: boolean) => {
    setOpen(next)
    onOpen(next)
  }
  const opening = useOpening(open)
  // The next question starts fresh, with the balance of that time.
  useAfterClose(open, () => setChosen(null))
  return (
    <>
      <AssignedList
        memberCode={member.memberCode}
        usablePoints={usablePoints}
        paused={paused}
        only="points"
        onChoose={(assigned) => {
          setChosen(assigned)
          changeOpen(true)
        }}
      />
      {chosen === null ? null : (
        <IssueSheet
          key={opening}
          open={open}
          member={member}
          usablePoints={usablePoints}
          assigned={chosen}
          onClose={() => changeOpen(false)}
        />
      )}
    </>
  )
}

type IssueSheetProps = {
  open: boolean
  member: RedeemMember
  /** The points that the member can spend today; null if the clerk may not see them. */
  usablePoints: number | null
  assigned: AssignedCoupon
  onIssued?: () => void
  onClose: () => void
  /** Goes back to the list, if the question has replaced it. */
  onBack?: () => void
}

/** The question before a coupon is issued, free or for points, and the result. */
function IssueSheet(props: IssueSheetProps) {
  const { open, member, usablePoints, assigned, onIssued, onClose, onBack } = props
  const { memberCode, name } = member
  const { t } = useLingui()
  const queries = useQueryClient()
  const [quantity, setQuantity] = useState(1)
  const { state, action, preview, ready } = useIssue(memberCode, assigned, quantity)
  useOnAnswered(state, () => {
    invalidateMember(queries, memberCode)
    if (state.step === 'done') onIssued?.()
  })
  useShownDeed(
    open
      ? {
          ...noDeed,
          kind: 'issue',
          step: deedStep(state.step),
          coupons: Array.from({ length: quantity }, () =>
            shownCoupon({ ...assigned, ...assigned.validity }),
          ),
          before: preview?.query.data?.balanceBefore ?? null,
          after: preview?.query.data?.balanceAfter ?? null,
        }
      : null,
  )
  const done = state.step === 'done'
  const asking = state.step === 'confirm'
  const close = () => {
    // The server does not know this request, so it can be forgotten when the sheet is closed.
    if (state.step === 'checked') action?.drop()
    else action?.close()
    onClose()
  }
  const most = maxQuantity(assigned, assigned.pointsCost, usablePoints)
  return (
    <Sheet
      open={open}
      onClose={close}
      busy={isBusy(state)}
      aside={onBack && t({ id: 'common.close', message: 'Close' })}
      title={
        done
          ? t({ id: 'iss.ok', message: 'Coupon issued successfully' })
          : t({ id: 'iss.q', message: `Issue this coupon to ${name}?` })
      }
      actions={
        done ? (
          <DoneButtons onClose={close} />
        ) : (
          <ActionButtons
            state={ready ? state : { step: 'refused', message: '', again: false }}
            action={action}
            onClose={close}
            label={t({ id: 'cpn.issue', message: 'Issue coupon' })}
            busyLabel={t({ id: 'iss.busy', message: 'Issuing…' })}
          />
        )
      }
    >
      {done ? (
        <Issued coupons={state.data.coupons} />
      ) : (
        <>
          {asking && onBack ? <BackButton onClick={onBack} /> : null}
          <Ticket
            state="valid"
            title={assigned.name}
            lines={<CouponLines {...assigned} {...assigned.validity} whole />}
          />
          {asking && most > 1 ? (
            <Stepper value={quantity} most={most} onChange={setQuantity} />
          ) : null}
        </>
      )}
      <MemberAndStore member={member} step={state.step} />
      {done ? (
        <>
          <Spent data={state.data} />
          <CouponSlip
            issued
            coupons={state.data.coupons}
            balance={state.data.balance}
            operation={action?.operation() ?? null}
          />
        </>
      ) : preview === null ? null : (
        <SpendPreview preview={preview} asking={asking} />
      )}
      <AllowanceHint allowance={done ? state.data.allowance : undefined} />
      <ActionNotice
        state={state}
        unknown={t({
          id: 'iss.unknown',
          message: "We couldn't confirm the result. Do not issue again before checking.",
        })}
        intact={t({ id: 'iss.intact', message: 'No coupon has been issued.' })}
        failed={
          preview === null
            ? t({ id: 'iss.fail', message: 'Coupon issued failed' })
            : t({ id: 'rdm.fail', message: 'Coupon redemption failed' })
        }
      />
    </Sheet>
  )
}

type IssuedData = Giving & { coupons: Coupon[]; pointsSpent?: number; balance?: number | null }

/** The request to issue, free or for points. A different quantity is a different request. */
function useIssue(memberCode: string, { couponId, pointsCost }: AssignedCoupon, quantity: number) {
  const clerk = useSession()
  const order = { memberCode, couponId, quantity }
  const paid = { kind: 'coupon' as const, ...order }
  const preview: SpendPreviewed = useSpendPreview(paid, pointsCost !== null)
  const forPoints = { ...paid, expectedBalance: preview.before ?? undefined }
  const ready = pointsCost === null || preview.before !== undefined
  const { state, action } = useAction<IssuedData>(
    clerk === null || !ready
      ? null
      : () =>
          pointsCost === null
            ? createIssue(clerk, order)
            : createIssueByPoints(clerk, forPoints, preview.balanceChanged),
    pointsCost === null ? JSON.stringify(order) : requestName(forPoints),
  )
  return { state, action, ready, preview: pointsCost === null ? null : preview }
}

function Issued({ coupons }: { coupons: readonly Coupon[] }) {
  return (
    <ul className="flex flex-col gap-3">
      {coupons.map((coupon) => (
        <li key={coupon.code} className="arrive">
          <CouponTicket coupon={{ ...coupon, redeemable: false }} />
        </li>
      ))}
    </ul>
  )
}

function Spent({ data: { pointsSpent, balance } }: { data: IssuedData }) {
  if (pointsSpent === undefined || balance === undefined || balance === null) return null
  return <BeforeAfter before={balance + pointsSpent} after={balance} />
}

function BackButton({ onClick }: { onClick: () => void }) {
  const { t } = useLingui()
  return (
    <Button
      kind="text"
      size="small"
      className="-ms-3 self-start"
      icon={<ArrowLeftIcon size={20} aria-hidden="true" />}
      onClick={onClick}
    >
      {t({ id: 'iss.other', message: 'Another coupon' })}
    </Button>
  )
}
