import { useLingui } from '@lingui/react/macro'
import type { CouponStatus } from '@tillside/contract/coupon'
import { Segmented } from '../ui/field/Segmented.tsx'

type StatusTabsProps = {
  status: CouponStatus
  counts: Record<CouponStatus, number> | undefined
  onChange: (status: CouponStatus) => void
}

/** The three statuses, with the number of coupons in each. */
export function StatusTabs({ status, counts, onChange }: StatusTabsProps) {
  const { t } = useLingui()
  return (
    <Segmented
      label={t({ id: 'nav.coupons', message: 'Coupons' })}
      value={status}
      onChange={onChange}
      options={[
        { value: 'ISSUED', label: t({ id: 'cpn.valid', message: 'Valid' }), count: counts?.ISSUED },
        { value: 'USED', label: t({ id: 'cpn.used', message: 'Redeemed' }), count: counts?.USED },
        {
          value: 'EXPIRED',
          label: t({ id: 'cpn.expired', message: 'Expired' }),
          count: counts?.EXPIRED,
        },
      ]}
    />
  )
}
