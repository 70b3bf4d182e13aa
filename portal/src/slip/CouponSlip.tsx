import { useLingui } from '@lingui/react/macro'
import type { Coupon } from '@tillside/contract/coupon'
import { formatCode } from '../kit/text/format.ts'
import { SlipButton } from './SlipButton.tsx'
import type { SlipFacts } from './slip.ts'

type CouponSlipProps = Pick<SlipFacts, 'balance' | 'operation'> & {
  issued?: boolean
  coupons: readonly Coupon[]
}

/** The slip of coupons that have just been redeemed or issued. */
export function CouponSlip({ issued = false, coupons, ...facts }: CouponSlipProps) {
  const { t } = useLingui()
  const rows = coupons.map(({ name, code }) => ({ label: name, value: formatCode(code) }))
  const title = issued
    ? t({ id: 'iss.ok', message: 'Coupon issued successfully' })
    : t({ id: 'rdm.ok', message: 'Coupon redeemed successfully' })
  return <SlipButton facts={{ ...facts, title, rows, at: coupons[0]?.redeemDate ?? null }} />
}
