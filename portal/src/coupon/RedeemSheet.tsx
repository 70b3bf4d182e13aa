import { useLingui } from '@lingui/react/macro'
import { TicketIcon } from '@phosphor-icons/react/dist/csr/Ticket'
import type { Coupon } from '@tillside/contract/coupon'
import { useEffect, useRef } from 'react'
import { isBusy } from '../kit/action.ts'
import { useSession } from '../kit/session.ts'
import { ReceiptRow } from '../ui/ReceiptRow.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { CouponTicket } from './CouponTicket.tsx'
import { RedeemActions } from './RedeemActions.tsx'
import { RedeemNotice } from './RedeemNotice.tsx'
import { useRedeem } from './useRedeem.ts'

/** Whose coupon it is, as the clerk must see it before confirming. */
export type RedeemMember = { memberCode: string; name: string; tier: string }

type RedeemSheetProps = {
  open: boolean
  coupon: Coupon
  member: RedeemMember
  onClose: () => void
  /** The sheet has left the screen. */
  onClosed: () => void
}

const leaving = 240

/** Asks once, in another place than the button that led here, then tells what the server said. */
export function RedeemSheet(props: RedeemSheetProps) {
  const { open, coupon, member, onClose, onClosed } = props
  const { t } = useLingui()
  const clerk = useSession()
  const { state, redeem } = useRedeem(member.memberCode, coupon.code)

  const gone = useRef(onClosed)
  useEffect(() => {
    gone.current = onClosed
  })
  useEffect(() => {
    if (open) return undefined
    const timer = setTimeout(() => gone.current(), leaving)
    return () => clearTimeout(timer)
  }, [open])

  if (redeem === null || clerk === null) return null
  const done = state.step === 'done'
  const close = () => {
    redeem.close()
    onClose()
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
      note={done ? null : t({ id: 'rdm.undo', message: "This can't be undone." })}
      actions={<RedeemActions state={state} redeem={redeem} onClose={close} />}
    >
      <CouponTicket
        coupon={done ? state.data : { ...coupon, redeemable: true }}
        action={<TicketIcon size={28} weight="fill" className="text-ink2" aria-hidden="true" />}
        tearing={done}
      />
      <div>
        <ReceiptRow
          label={t({ id: 'sys.member', message: 'Member' })}
          value={`${member.name} · ${member.tier}`}
        />
        <ReceiptRow
          label={t({ id: 'sys.store', message: 'Store' })}
          value={
            <>
              {clerk.store.name} <span className="text-ink2">{clerk.store.code}</span>
            </>
          }
        />
      </div>
      <RedeemNotice state={state} />
    </Sheet>
  )
}
