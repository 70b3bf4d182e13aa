import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import type { Coupon } from '@tillside/contract/coupon'
import { thousandths } from '@tillside/contract/rules/decimal'
import { discountText } from '@tillside/contract/rules/discount'
import type { ReactNode } from 'react'
import { formatCode, isZeroDate } from '../kit/text/format.ts'
import { useMoney } from '../company/money.ts'
import { useLanguage } from '../kit/text/language.ts'
import { useDates, usePeriods, useToday } from '../company/calendar.ts'
import { Ticket, type TicketTick } from '../ui/paper/Ticket.tsx'
import { StubButton } from '../kit/action/StubButton.tsx'
import { ticketLook, type TicketLook } from './ticket.ts'

export type CouponTicketProps = {
  coupon: Coupon
  /** The number of alike coupons in this stack; one by default. */
  count?: number
  /** Whether the count is final; otherwise there may be more. */
  isAll?: boolean
  /** Shown in the stub of a coupon that can be redeemed now, at this store. */
  action?: ReactNode
  /** The server has just confirmed the redemption. */
  tearing?: boolean
  /** Called when the body of the ticket is pressed, to show the details. */
  onOpen?: (() => void) | undefined
  /** Shows the whole condition, as in a question; otherwise its first two lines. */
  whole?: boolean
  /** Below the lines, such as the button that undoes. */
  more?: ReactNode
  /** Makes the ticket selectable. */
  tick?: TicketTick | undefined
}

/** A coupon as a ticket, in any status. */
export function CouponTicket(props: CouponTicketProps) {
  const { coupon, count = 1, isAll = true, action, tearing, whole, more, onOpen, tick } = props
  const { t } = useLingui()
  const look = ticketLook(coupon, useToday())
  const n = look.endsIn
  const endsIn =
    n === null
      ? undefined
      : n === 0
        ? t({ id: 'cpn.endsToday', message: 'Ends today' })
        : t({
            id: 'cpn.endsIn',
            message: plural(n, { one: 'Ends in # day', other: 'Ends in # days' }),
          })
  return (
    <Ticket
      state={look.state}
      title={coupon.name}
      count={count === 1 ? undefined : `${count}${isAll ? '' : '+'}`}
      lines={
        <>
          <CouponLines {...coupon} whole={whole} />
          {more}
        </>
      }
      code={formatCode(coupon.code)}
      tag={endsIn === undefined ? undefined : { tone: 'warning', text: endsIn }}
      stub={useReason(look, coupon) ?? (look.stub === 'redeem' || tearing ? action : null)}
      stamp={useStamp(coupon)}
      tearing={tearing}
      onOpen={onOpen}
      tick={tick}
    />
  )
}

type CouponLinesProps = Pick<
  Coupon,
  'kind' | 'value' | 'startDate' | 'expiryDate' | 'description'
> & { whole?: boolean | undefined }

/** The coupon's value, condition and period. */
export function CouponLines(props: CouponLinesProps) {
  const { kind, value, startDate, expiryDate, description, whole } = props
  const { t } = useLingui()
  const money = useMoney()
  const periods = usePeriods()
  const discount = discountText(value ?? '', useLanguage())
  const amount = value === null ? '' : money(value)
  const isWorth = value !== null && thousandths(value) !== 0n
  return (
    <>
      {kind === 'amount' && isWorth ? (
        <p>{t({ id: 'cpn.amount', message: `${amount} off` })}</p>
      ) : null}
      {kind === 'percent' && discount !== null ? <p>{discount}</p> : null}
      {description === null ? null : (
        <p className={`text-ink ${whole === true ? 'whitespace-pre-line' : 'line-clamp-2'}`}>
          {description}
        </p>
      )}
      <p className={isZeroDate(startDate) || isZeroDate(expiryDate) ? 'text-ink3' : ''}>
        {periods(startDate, expiryDate)}
      </p>
    </>
  )
}

/** Why the ticket has no button, if the clerk can explain it to the customer. */
function useReason({ stub }: TicketLook, coupon: Coupon): ReactNode {
  const { t } = useLingui()
  const date = useDates()(coupon.startDate, 'coupon')
  if (stub === 'starts') {
    return (
      <p className="num text-small max-medium:text-caption">
        {t({ id: 'cpn.starts', message: `Starts ${date}` })}
      </p>
    )
  }
  if (stub === 'otherStore') {
    return (
      <p className="text-small text-ink2 max-medium:text-caption">
        {t({ id: 'cpn.otherStore', message: 'Not for this store' })}
      </p>
    )
  }
  return null
}

function useStamp({ status, redeemDate, redeemStore }: Coupon): string[] | undefined {
  const { t } = useLingui()
  const dates = useDates()
  if (status !== 'USED') return undefined
  return [
    t({ id: 'rdm.stamp', message: 'Redeemed' }),
    redeemDate === null ? '' : dates(redeemDate),
    redeemStore?.name ?? '',
  ].filter((line) => line !== '')
}

type RedeemButtonProps = { coupon: Coupon; onRedeem: (coupon: Coupon) => void }

/** The button in the stub of a coupon that can be redeemed. */
export function RedeemButton({ coupon, onRedeem }: RedeemButtonProps) {
  const { t } = useLingui()
  const label = t({ id: 'cpn.redeem', message: 'Redeem' })
  return (
    <StubButton
      kind="tonal"
      aria-label={`${label}, ${coupon.name}`}
      onClick={() => onRedeem(coupon)}
    >
      {label}
    </StubButton>
  )
}
