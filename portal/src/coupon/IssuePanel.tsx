import { useLingui } from '@lingui/react/macro'
import { ArrowLeftIcon } from '@phosphor-icons/react/dist/csr/ArrowLeft'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { AssignedCoupon, Coupon } from '@tillside/contract/coupon'
import { previewPoints } from '@tillside/contract/points'
import { type ReactNode, useState } from 'react'
import { isBusy } from '../kit/action.ts'
import { ActionButtons } from '../kit/ActionButtons.tsx'
import { ActionNotice } from '../kit/ActionNotice.tsx'
import { call } from '../kit/call.ts'
import { DoneButtons } from '../kit/DoneButtons.tsx'
import { Refusal } from '../kit/failure.ts'
import { formatPoints } from '../kit/format.ts'
import { Loaded } from '../kit/Loaded.tsx'
import { useSession } from '../kit/session.ts'
import { useAction, useAnswered } from '../kit/useAction.ts'
import { Stepper } from '../points/Gifts.tsx'
import { Button } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { Ticket } from '../ui/Ticket.tsx'
import { AssignedList } from './AssignedList.tsx'
import { mostOf } from './ticket.ts'
import { CouponLines, CouponTicket } from './CouponTicket.tsx'
import { membershipChanged } from './coupons.ts'
import { createIssue, createPaidIssue } from './redeem.ts'
import { Parties, type RedeemMember } from './RedeemSheet.tsx'

type IssuePanelProps = {
  open: boolean
  member: RedeemMember
  usablePoints: number | null
  onIssued: () => void
  onClose: () => void
}

/** What this store may give the member: first the choice, then in the same place the question. */
export function IssuePanel(props: IssuePanelProps) {
  const [chosen, setChosen] = useState<AssignedCoupon | null>(null)
  const { t } = useLingui()
  if (chosen !== null) {
    return <Issue {...props} assigned={chosen} onBack={() => setChosen(null)} />
  }
  return (
    <Sheet
      open={props.open}
      onClose={props.onClose}
      title={t({ id: 'cpn.issue', message: 'Issue coupon' })}
      aside={t({ id: 'common.close', message: 'Close' })}
      actions={null}
    >
      <AssignedList
        memberCode={props.member.memberCode}
        usablePoints={props.usablePoints}
        onChoose={setChosen}
      />
    </Sheet>
  )
}

type IssueProps = IssuePanelProps & { assigned: AssignedCoupon; onBack: () => void }

function Issue(props: IssueProps) {
  const { open, member, usablePoints, assigned, onIssued, onClose, onBack } = props
  const { memberCode, name } = member
  const { t } = useLingui()
  const queries = useQueryClient()
  const [quantity, setQuantity] = useState(1)
  const preview = usePreview(memberCode, assigned, quantity)
  const { state, action } = useIssue(memberCode, assigned, quantity, preview)
  useAnswered(state, () => {
    membershipChanged(queries, memberCode)
    if (state.step === 'done') onIssued()
  })
  const done = state.step === 'done'
  const close = () => {
    action?.close()
    onClose()
  }
  const most = mostOf(assigned, usablePoints)
  return (
    <Sheet
      open={open}
      onClose={close}
      busy={isBusy(state)}
      aside={t({ id: 'common.close', message: 'Close' })}
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
            state={preview.ready ? state : { step: 'refused', message: '', again: false }}
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
          {state.step === 'confirm' ? <BackButton onClick={onBack} /> : null}
          <Ticket
            state="valid"
            title={assigned.name}
            lines={<CouponLines {...assigned} {...assigned.validity} />}
          />
          {state.step === 'confirm' && most > 1 ? (
            <Stepper value={quantity} most={most} onChange={setQuantity} />
          ) : null}
        </>
      )}
      <Parties member={member} />
      {done ? <Spent data={state.data} /> : preview.shown}
      <ActionNotice
        state={state}
        unknown={t({
          id: 'iss.unknown',
          message: "We couldn't confirm the result. Do not issue again before checking.",
        })}
        intact={t({ id: 'iss.intact', message: 'No coupon has been issued.' })}
      />
    </Sheet>
  )
}

type Preview = {
  /** It may be asked: what it costs, if anything, is on screen. */
  ready: boolean
  /** Undefined where no points are spent. */
  balance: number | undefined
  shown: ReactNode
}

/** What the points would be afterwards; nothing to show where it is free. */
function usePreview(memberCode: string, assigned: AssignedCoupon, quantity: number): Preview {
  const { t } = useLingui()
  const order = { kind: 'coupon' as const, memberCode, couponId: assigned.couponId, quantity }
  const query = useQuery({
    queryKey: ['points-preview', order],
    queryFn: ({ signal }) => call(previewPoints, order, { signal, quiet: true }),
    enabled: assigned.pointsCost !== null,
    // What it says holds for this moment only.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    placeholderData: (before) => before,
  })
  if (assigned.pointsCost === null) return { ready: true, balance: undefined, shown: null }
  const { data, error } = query
  if (error instanceof Refusal) {
    const shown = <Notice tone="danger">{error.message}</Notice>
    return { ready: false, balance: undefined, shown }
  }
  const shown = (
    <Loaded
      query={query}
      name={t({ id: 'home.points', message: 'Points' })}
      skeleton={<Skeleton height="1.75rem" />}
    >
      {({ balanceBefore, balanceAfter }) => <BeforeAfter a={balanceBefore} b={balanceAfter} />}
    </Loaded>
  )
  return {
    ready: data !== undefined && !query.isPlaceholderData,
    balance: data?.balanceBefore,
    shown,
  }
}

function BeforeAfter({ a: before, b: after }: { a: number; b: number }) {
  const { t } = useLingui()
  const a = formatPoints(before)
  const b = formatPoints(after)
  return <p className="num text-title">{t({ id: 'ex.after', message: `${a} → ${b} points` })}</p>
}

type IssuedData = { coupons: Coupon[]; pointsSpent?: number; balance?: number }

/** The one request, free or for points; another quantity is another request. */
function useIssue(
  memberCode: string,
  { couponId, pointsCost }: AssignedCoupon,
  quantity: number,
  { ready, balance }: Preview,
) {
  const clerk = useSession()
  const order = { memberCode, couponId, quantity }
  const paid = balance === undefined ? order : { ...order, expectedBalance: balance }
  return useAction<IssuedData>(
    clerk === null || !ready
      ? null
      : () => (pointsCost === null ? createIssue(clerk, order) : createPaidIssue(clerk, paid)),
    JSON.stringify(paid),
  )
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
  if (pointsSpent === undefined || balance === undefined) return null
  return <BeforeAfter a={balance + pointsSpent} b={balance} />
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
