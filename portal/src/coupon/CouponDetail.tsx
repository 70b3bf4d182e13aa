import { useLingui } from '@lingui/react/macro'
import type { Coupon } from '@tillside/contract/coupon'
import { useDates, usePeriods } from '../company/calendar.ts'
import { CopyButton } from '../kit/page/CopyButton.tsx'
import { formatCode } from '../kit/text/format.ts'
import { maskedName } from '@tillside/contract/rules/person'
import { useOnline } from '../kit/device/online.ts'
import { usePermissions } from '../staff/permissions.ts'
import { Button } from '../ui/page/Button.tsx'
import { Notice } from '../ui/page/Notice.tsx'
import { ReceiptRow } from '../ui/paper/ReceiptRow.tsx'
import { Sheet } from '../ui/layer/Sheet.tsx'
import { CouponTicket } from './CouponTicket.tsx'
import type { CouponOwner } from './coupons.ts'
import { useCanUndo } from './after/useCanUndo.ts'

type CouponDetailProps = {
  open: boolean
  coupon: Coupon
  /** The owner, if the coupon belongs to another member. */
  owner: CouponOwner | null
  onClose: () => void
  onRedeem: (coupon: Coupon) => void
  onUndo: (coupon: Coupon) => void
  onOpenMember: (memberCode: string) => void
}

/** The details of one coupon, and the buttons for it. */
export function CouponDetail(props: CouponDetailProps) {
  const { open, coupon, owner, onClose, onRedeem, onUndo, onOpenMember } = props
  const { t } = useLingui()
  const online = useOnline()
  const mayRedeem = usePermissions().has('couponRedeem')
  const canUndo = useCanUndo(coupon) && mayRedeem && owner === null
  const canRedeem = coupon.redeemable && mayRedeem && owner === null
  const paused = t({ id: 'off.bar', message: "You're offline. Redeeming is paused." })
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={t({ id: 'cpn.detail', message: 'Coupon details' })}
      aside={t({ id: 'common.close', message: 'Close' })}
      actions={
        canRedeem ? (
          <Button
            kind="filled"
            size="large"
            disabled={!online}
            reason={paused}
            onClick={() => onRedeem(coupon)}
          >
            {t({ id: 'cpn.redeem', message: 'Redeem' })}
          </Button>
        ) : canUndo ? (
          <Button
            kind="text"
            size="large"
            disabled={!online}
            reason={paused}
            onClick={() => onUndo(coupon)}
          >
            {t({ id: 'undo.do', message: 'Undo redemption' })}
          </Button>
        ) : null
      }
    >
      {owner === null ? (
        <NotUsableReason coupon={coupon} />
      ) : (
        <OtherOwner owner={owner} onOpenMember={onOpenMember} />
      )}
      <CouponTicket coupon={{ ...coupon, redeemable: false, description: null }} />
      {coupon.description === null ? null : (
        <div>
          <h3 className="text-small text-ink2">{t({ id: 'cpn.desc', message: 'Description' })}</h3>
          <p className="text-body">{coupon.description}</p>
        </div>
      )}
      <Facts coupon={coupon} />
    </Sheet>
  )
}

function Facts({ coupon }: { coupon: Coupon }) {
  const { t } = useLingui()
  const periods = usePeriods()
  const dates = useDates()
  const { issueDate, redeemDate, redeemStore, unionCode } = coupon
  return (
    <div>
      <ReceiptRow
        label={t({ id: 'cpn.period', message: 'Valid period' })}
        value={periods(coupon.startDate, coupon.expiryDate)}
      />
      <ReceiptRow
        label={t({ id: 'cpn.code', message: 'Coupon code' })}
        value={<Code code={coupon.code} />}
      />
      {unionCode === null ? null : (
        <ReceiptRow label={t({ id: 'cpn.union', message: 'Union code' })} value={unionCode} />
      )}
      {issueDate === null ? null : (
        <ReceiptRow
          label={t({ id: 'cpn.issued', message: 'Issued on' })}
          value={dates(issueDate)}
        />
      )}
      {redeemDate === null ? null : (
        <ReceiptRow
          label={t({ id: 'cpn.usedOn', message: 'Redeemed on' })}
          value={dates(redeemDate, 'long')}
        />
      )}
      {redeemStore === null ? null : (
        <ReceiptRow
          label={t({ id: 'cpn.usedAt', message: 'Redeemed at' })}
          value={
            <>
              {redeemStore.name} <span className="text-ink2">{redeemStore.code}</span>
            </>
          }
        />
      )}
    </div>
  )
}

/** The code in groups of four; copied without the gaps. */
function Code({ code }: { code: string }) {
  return (
    <span className="-my-2.5 -me-3 inline-flex flex-wrap items-center justify-end">
      {formatCode(code)}
      <CopyButton text={code} />
    </span>
  )
}

/** Why the coupon cannot be used, unless its appearance already says so. */
function NotUsableReason({ coupon }: { coupon: Coupon }) {
  const { t } = useLingui()
  const dates = useDates()
  const date = dates(coupon.startDate, 'coupon')
  const end = dates(coupon.expiryDate, 'coupon')
  const reasons = {
    // The stamp already says when and where.
    couponUsed: null,
    couponExpired: t({ id: 'cpn.whyExpired', message: `This coupon expired on ${end}.` }),
    couponNotStarted: t({ id: 'cpn.whyNotStarted', message: `It can be used from ${date}.` }),
    couponOtherStore: t({ id: 'cpn.whyStore', message: 'It can’t be used at this store.' }),
    noPermission: t({ id: 'cpn.whyPermission', message: 'Your account can’t redeem coupons.' }),
  }
  const why = coupon.notRedeemableReason && reasons[coupon.notRedeemableReason]
  return why === null ? null : (
    <Notice tone="info" quiet>
      {why}
    </Notice>
  )
}

type OtherOwnerProps = Pick<CouponDetailProps, 'onOpenMember'> & { owner: CouponOwner }

function OtherOwner({ owner, onOpenMember }: OtherOwnerProps) {
  const { t } = useLingui()
  const name = maskedName(owner)
  return (
    <Notice
      tone="warning"
      action={
        <Button kind="outlined" size="small" onClick={() => onOpenMember(owner.memberCode)}>
          {t({ id: 'cpn.openOwner', message: `Open ${name}` })}
        </Button>
      }
    >
      {t({ id: 'cpn.other', message: `This coupon belongs to another member, ${name}.` })}
    </Notice>
  )
}
