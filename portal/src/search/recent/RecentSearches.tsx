import { useLingui } from '@lingui/react/macro'
import type { Icon } from '../../ui/page/Icon.tsx'
import AtIcon from 'virtual:icons/at'
import CreditCardIcon from 'virtual:icons/credit-card'
import DeviceMobileIcon from 'virtual:icons/device-mobile'
import IdentificationBadgeIcon from 'virtual:icons/identification-badge'
import { useState } from 'react'
import { useShopClock } from '../../kit/text/clock.ts'
import type { LookUp } from '../../paths.ts'
import { Button } from '../../ui/page/Button.tsx'
import type { Entry } from './history.ts'
import { useRecent } from './recent.ts'
import { maskedLookUp } from './maskedLookUp.ts'
import { type Kind, kindOf } from '../text/parse.ts'
import { useSearchTexts } from '../useSearchTexts.ts'

const few = 5
/** From this many entries on, they are grouped by hour. */
const many = 10

type RecentSearchesProps = { disabled: boolean; onAgain: (by: LookUp) => void }

/** The members this clerk has opened today, masked. */
export function RecentSearches({ disabled, onAgain }: RecentSearchesProps) {
  const { t } = useLingui()
  const { entries, clear } = useRecent()
  const clock = useShopClock()
  const timeOf = (time: number) => clock.timeOf(time).slice(0, 5)
  const hourOf = ({ time }: Entry) => `${timeOf(time).slice(0, 2)}:00`
  const [all, setAll] = useState(false)
  if (entries.length === 0) return null
  const shown = all ? entries : entries.slice(0, few)
  const groups = shown.length > many ? [...Map.groupBy(shown, hourOf)] : [['', shown] as const]
  return (
    <section aria-labelledby="recent" className="mt-4 flex flex-col">
      <h2 id="recent" className="text-strong">
        {t({ id: 'search.recent', message: 'Recent' })}
      </h2>
      {groups.map(([hour, inside]) => (
        <div key={hour}>
          {hour === '' ? null : (
            <h3 className="num mt-3 text-caption font-medium text-ink2">{hour}</h3>
          )}
          <ul className="divide-y divide-line">
            {inside.map((entry) => (
              <li key={JSON.stringify(entry.key)}>
                <Row
                  entry={entry}
                  time={timeOf(entry.time)}
                  disabled={disabled}
                  onClick={() => onAgain(entry.key)}
                />
              </li>
            ))}
          </ul>
        </div>
      ))}
      <p className="-mx-3 flex justify-between">
        {all || entries.length <= few ? (
          <span />
        ) : (
          <Button kind="text" size="small" onClick={() => setAll(true)}>
            {t({ id: 'search.showAll', message: 'Show all' })}
          </Button>
        )}
        <Button
          kind="text"
          size="small"
          onClick={() => {
            setAll(false)
            clear()
          }}
        >
          {t({ id: 'search.clear', message: 'Clear' })}
        </Button>
      </p>
    </section>
  )
}

const icons: Record<Kind, Icon> = {
  mobile: DeviceMobileIcon,
  card: CreditCardIcon,
  code: IdentificationBadgeIcon,
  email: AtIcon,
  coupon: IdentificationBadgeIcon,
  customer: IdentificationBadgeIcon,
}

type RowProps = { entry: Entry; time: string; disabled: boolean; onClick: () => void }

function Row({ entry: { key }, time, disabled, onClick }: RowProps) {
  const { kinds } = useSearchTexts()
  const kind = kindOf(key)
  const KindIcon = icons[kind]
  return (
    <button
      type="button"
      disabled={disabled}
      onClick={onClick}
      className={
        'flex min-h-12 w-full items-center gap-3 text-start text-body text-ink ' +
        'transition-colors duration-[120ms] hover:text-brand-text disabled:text-ink3'
      }
    >
      <KindIcon size={20} className="shrink-0 text-ink2" aria-hidden="true" />
      <span className="sr-only">{kinds[kind]}</span>
      {/* Marks a masked number as Latin text: in a Chinese font its bullets would be a whole
          character wide. */}
      <span lang="en" className="num min-w-0 flex-1 wrap-anywhere">
        {maskedLookUp(key)}
      </span>
      <span className="num shrink-0 text-small text-ink2">{time}</span>
    </button>
  )
}
