import { supplyProblem } from '@tillside/contract/rules/supply'
import { useLingui } from '@lingui/react/macro'
import MinusIcon from 'virtual:icons/minus'
import PlusIcon from 'virtual:icons/plus'
import { useQuery } from '@tanstack/react-query'
import type { Gift } from '@tillside/contract/points'
import { formatPoints } from '../kit/text/format.ts'
import { Loaded } from '../kit/page/Loaded.tsx'
import { EmptyLine } from '../ui/page/EmptyLine.tsx'
import { IconButton } from '../ui/page/IconButton.tsx'
import { Skeleton } from '../ui/page/Skeleton.tsx'
import { giftsQuery } from './points.ts'

type RewardsProps = {
  memberCode: string
  /** The points that the member can spend today; null if the clerk may not see them. */
  usable: number | null
  disabled: boolean
  onChoose: (gift: Gift) => void
}

/** The company's rewards; those that this member can get are first. */
export function Gifts(props: RewardsProps) {
  const { t } = useLingui()
  const query = useQuery(giftsQuery(props.memberCode))
  const name = t({ id: 'ex.rewards', message: 'Rewards' })
  return (
    <Loaded query={query} name={name} skeleton={<GiftSkeletons />}>
      {({ items }) => (
        <Rewards
          {...props}
          items={items}
          empty={t({ id: 'ex.empty', message: 'No rewards right now' })}
        />
      )}
    </Loaded>
  )
}

type ListProps = RewardsProps & { items: readonly Gift[]; empty: string }

function Rewards({ items, empty, usable, disabled, onChoose }: ListProps) {
  if (items.length === 0) return <EmptyLine>{empty}</EmptyLine>
  return (
    <ul className="grid gap-3 medium:grid-cols-2">
      {availableFirst(items).map((reward) => (
        <li key={reward.giftId} className="grid">
          <RewardCard
            reward={reward}
            short={usable === null ? 0 : reward.points - usable}
            disabled={disabled}
            onChoose={() => onChoose(reward)}
          />
        </li>
      ))}
    </ul>
  )
}

function availableFirst(items: readonly Gift[]): Gift[] {
  return items.toSorted((a, b) => rank(a) - rank(b) || a.points - b.points)
}

/** Sorts available rewards before unavailable ones. */
function rank(reward: Gift): number {
  return supplyProblem(reward, 1) === null && reward.affordable !== false ? 0 : 1
}

type RewardCardProps = { reward: Gift; short: number; disabled: boolean; onChoose: () => void }

function RewardCard({ reward, short, disabled, onChoose }: RewardCardProps) {
  const { t } = useLingui()
  const n = formatPoints(reward.points)
  const why = useWhyNot(reward, short)
  const off = why !== null
  return (
    <button
      type="button"
      aria-disabled={off || disabled || undefined}
      onClick={() => (off || disabled ? undefined : onChoose())}
      className={
        'flex min-h-20 items-center gap-4 rounded-card border border-line p-4 text-start ' +
        'transition-colors duration-[120ms] ' +
        (off || disabled ? 'cursor-not-allowed! bg-canvas' : 'bg-surface hover:border-control')
      }
    >
      {reward.image === null ? null : (
        <img src={reward.image} alt="" className="size-14 shrink-0 rounded-tag object-cover" />
      )}
      <span className="flex min-w-0 flex-1 flex-col gap-0.5">
        <span className={`text-strong break-words ${off ? 'text-ink2' : ''}`}>{reward.name}</span>
        {reward.description === null ? null : (
          <span className="line-clamp-2 text-small text-ink2">{reward.description}</span>
        )}
        <span className="num mt-1 flex flex-wrap gap-x-3 text-small">
          <span className={off ? 'text-ink2' : 'font-semibold text-brand-text'}>
            {t({ id: 'iss.cost', message: `${n} points` })}
          </span>
          {off ? <span className="text-ink2">{why}</span> : <Remaining reward={reward} />}
        </span>
      </span>
    </button>
  )
}

const few = 20

function Remaining({ reward: { remaining } }: { reward: Gift }) {
  const { t } = useLingui()
  if (remaining === null || remaining > few) return null
  const n = formatPoints(remaining)
  return <span className="text-ink2">{t({ id: 'ex.left', message: `${n} left` })}</span>
}

/** Why this member cannot get the reward now, or null. */
function useWhyNot(reward: Gift, short: number): string | null {
  const { t } = useLingui()
  const problem = supplyProblem(reward, 1)
  if (problem === 'outOfStock') return t({ id: 'ex.soldOut', message: 'None left' })
  if (problem === 'limit') {
    const n = formatPoints(reward.perMemberLimit ?? 0)
    return t({ id: 'ex.limit', message: `Limit of ${n} reached` })
  }
  if (reward.affordable !== false) return null
  const n = formatPoints(Math.max(1, short))
  return t({ id: 'iss.short', message: `${n} more points needed` })
}

type StepperProps = { value: number; most: number; onChange: (value: number) => void }

/** A quantity field with buttons large enough for a thumb. */
export function Stepper({ value, most, onChange }: StepperProps) {
  const { t } = useLingui()
  const label = t({ id: 'ex.quantity', message: 'Quantity' })
  return (
    <fieldset className="flex flex-wrap items-center justify-between gap-x-4">
      <legend className="float-left text-small text-ink2">{label}</legend>
      <span className="ms-auto flex items-center gap-2">
        <IconButton
          label={t({ id: 'ex.fewer', message: 'One fewer' })}
          icon={<MinusIcon size={20} aria-hidden="true" />}
          disabled={value <= 1}
          onClick={() => onChange(value - 1)}
        />
        <output className="num min-w-8 text-center text-strong">{value}</output>
        <IconButton
          label={t({ id: 'ex.more', message: 'One more' })}
          icon={<PlusIcon size={20} aria-hidden="true" />}
          disabled={value >= most}
          onClick={() => onChange(value + 1)}
        />
      </span>
    </fieldset>
  )
}

function GiftSkeletons() {
  return (
    <div className="grid gap-3 medium:grid-cols-2">
      <Skeleton height="6rem" radius="card" />
      <Skeleton height="6rem" radius="card" />
      <Skeleton height="6rem" radius="card" />
    </div>
  )
}
