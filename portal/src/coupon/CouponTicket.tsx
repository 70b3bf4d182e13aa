import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { TicketIcon } from '@phosphor-icons/react/dist/csr/Ticket'
import type { Coupon } from '@tillside/contract/coupon'
import type { ReactNode } from 'react'
import { formatCode, formatDate, formatMoney, formatPeriod } from '../kit/format.ts'
import { useLanguage } from '../kit/language.ts'
import { useToday } from '../kit/today.ts'
import { Ticket } from '../ui/Ticket.tsx'
import { ticketLook } from './ticket.ts'

export type CouponTicketProps = {
  coupon: Coupon
  /** Stands in the stub of a coupon that can be used here and now. */
  action?: ReactNode
  /** The server has just confirmed its use. */
  tearing?: boolean
}

/** A coupon as a ticket, in whatever state it is. */
export function CouponTicket({ coupon, action, tearing }: CouponTicketProps) {
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
      lines={<Lines coupon={coupon} />}
      code={formatCode(coupon.code)}
      tag={endsIn === undefined ? undefined : { tone: 'warning', text: endsIn }}
      stub={look.stub === 'redeem' ? action : <Reason stub={look.stub} coupon={coupon} />}
      stamp={useStamp(coupon)}
      tearing={tearing}
    />
  )
}

function Lines({ coupon: { kind, value, startDate, expiryDate } }: { coupon: Coupon }) {
  const { t } = useLingui()
  const language = useLanguage()
  const amount = value === null ? '' : formatMoney(value)
  const percent = value ?? ''
  return (
    <>
      {kind === 'amount' && value !== null ? (
        <p>{t({ id: 'cpn.amount', message: `${amount} off` })}</p>
      ) : null}
      {kind === 'percent' && value !== null ? (
        <p>{t({ id: 'cpn.percent', message: `${percent}% off` })}</p>
      ) : null}
      <p>{formatPeriod(startDate, expiryDate, language)}</p>
    </>
  )
}

/** Why there is nothing to press. */
function Reason({ stub, coupon }: { stub: ReturnType<typeof ticketLook>['stub']; coupon: Coupon }) {
  const { t } = useLingui()
  const date = formatDate(coupon.startDate, 'coupon', useLanguage())
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
  return <TicketIcon size={28} className="text-ink3" aria-hidden="true" />
}

function useStamp({ status, redeemDate, redeemStore }: Coupon): string[] | undefined {
  const { t } = useLingui()
  const language = useLanguage()
  if (status !== 'USED') return undefined
  return [
    t({ id: 'rdm.stamp', message: 'Redeemed' }),
    redeemDate === null ? '' : formatDate(redeemDate, 'short', language),
    redeemStore?.name ?? '',
  ].filter((line) => line !== '')
}
