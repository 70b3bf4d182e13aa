import { useLingui } from '@lingui/react/macro'
import { formatDate, formatMoney } from '../kit/format.ts'
import { useLanguage } from '../kit/language.ts'

/** What keeps the tier, and until when: the sentence that is often the sale. */
export function TierRenewal(props: { gap: string; by: string; tier: string }) {
  const { t } = useLingui()
  const language = useLanguage()
  const { tier } = props
  const amount = formatMoney(props.gap)
  const date = formatDate(props.by, 'short', language)
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
