import { useLingui } from '@lingui/react/macro'
import { formatPoints } from '../../kit/text/format.ts'

/** Says how much of a balance can be used, or what is to be repaid; empty if all can be used. */
export function Usable({ balance, valid }: { balance: number; valid: number }) {
  const { t } = useLingui()
  const usable = formatPoints(valid)
  const n = formatPoints(-balance)
  if (balance < 0) {
    return (
      <p className="num w-full text-small text-warning">
        {t({
          id: 'pt.debt',
          message: `${n} points below zero. The next purchases repay them first.`,
        })}
      </p>
    )
  }
  if (valid === balance) return null
  return (
    <p className="num w-full text-small text-ink2">
      {t({ id: 'home.usable', message: `${usable} can be used today` })}
    </p>
  )
}
