import { useLingui } from '@lingui/react/macro'
import { useDates } from '../company/calendar.ts'
import { useMoney } from '../company/money.ts'

/** The amount and the date that keep the tier; often the best reason for a purchase. */
export function TierRenewal({ gap, by, tier }: { gap: string; by: string; tier: string }) {
  const { t } = useLingui()
  const money = useMoney()
  const amount = money(gap)
  const date = useDates()(by)
  return (
    <p
      className={
        'num border-t border-[color-mix(in_srgb,currentcolor_20%,transparent)] pt-3 text-small'
      }
    >
      {t({ id: 'tier.renew', message: `${amount} more by ${date} to stay ${tier}` })}
    </p>
  )
}
