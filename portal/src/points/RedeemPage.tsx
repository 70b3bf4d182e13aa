import { counted } from '@tillside/contract/rules/counted'
import { maxQuantity } from '@tillside/contract/rules/supply'
import { useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import type { MembershipInfo } from '@tillside/contract/member'
import type { Gift } from '@tillside/contract/points'
import { type ComponentType, useReducer, useState } from 'react'
import { useConfig } from '../company/config.ts'
import { formatPoints } from '../kit/text/format.ts'
import { useOnline } from '../kit/device/online.ts'
import { useSession } from '../kit/call/session.ts'
import { createStore, useStore } from '../kit/store/store.ts'
import { UndoSheet } from '../kit/action/UndoSheet.tsx'
import { usePermissions } from '../staff/permissions.ts'
import { Button } from '../ui/page/Button.tsx'
import { Figure } from '../ui/paper/Figure.tsx'
import { Notice } from '../ui/page/Notice.tsx'
import { Segmented } from '../ui/field/Segmented.tsx'
import { Skeleton } from '../ui/page/Skeleton.tsx'
import { Gifts, Stepper } from './Gifts.tsx'
import { invalidatePoints } from './points.ts'
import { useDecimals } from '../company/money.ts'
import { type Sale, SaleForm } from './SaleForm.tsx'
import { createUndo, unansweredSpends } from './spend.ts'
import { type PointsOwner, type Spent, SpendSheet } from './SpendSheet.tsx'
import { UnansweredSpends } from './UnansweredSpends.tsx'

type Segment = 'rewards' | 'coupons' | 'sale'

/** The segment that was used last on this device; the next customer's page starts with it. */
const lastSegment = createStore<Segment | null>(null)

type RedeemPageProps = {
  member: RedeemingMember
  /** Null if the clerk may not see them. */
  points: MembershipInfo['points']
  /** The coupons that points can buy. A parameter, because the folder `coupon` imports this one. */
  Coupons: ComponentType<PaidCouponsProps>
}

type RedeemingMember = PointsOwner & { tier: string | null }

/** The properties of that component. */
export type PaidCouponsProps = {
  member: RedeemingMember
  usablePoints: number | null
  /** Why no points may be spent now, or null. */
  paused: string | null
  onOpen: (open: boolean) => void
}

type Asked =
  | { kind: 'reward'; reward: Gift; quantity: number }
  | { kind: 'sale'; sale: Sale }
  | { kind: 'undo'; spent: Spent }

/** Everything that points can be spent on, and the sheets for it. */
export function RedeemPage({ member, points, Coupons }: RedeemPageProps) {
  const { t } = useLingui()
  const clerk = useSession()
  const online = useOnline()
  const { segments, segment, choose } = useSegments()
  const [asked, setAsked] = useState<Asked | null>(null)
  const [open, setOpen] = useState(false)
  const [buying, setBuying] = useState(false)
  // A new key for each question, so that the same reward asked again starts with a fresh balance.
  const [round, nextRound] = useReducer((times: number) => times + 1, 0)
  // Unanswered requests are stored outside components; this renders again after an answer.
  const [, rerender] = useReducer((times: number) => times + 1, 0)
  const ask = (next: Asked) => {
    setAsked(next)
    if (!open) nextRound()
    setOpen(true)
  }
  const pending = clerk ? unansweredSpends(clerk, member.memberCode) : []
  const paused =
    pending.length > 0
      ? t({ id: 'ex.checkFirst', message: 'Check the last redemption first.' })
      : null
  const usable = points?.valid ?? null
  const list = {
    memberCode: member.memberCode,
    usable,
    disabled: paused !== null || !online,
    onChoose: (reward: Gift) => ask({ kind: 'reward', reward, quantity: 1 }),
  }
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        <h2 className="sr-only">{t({ id: 'nav.redeem', message: 'Redeem' })}</h2>
        <Balance points={points} />
        {segments.length < 2 ? null : (
          <div className="w-full medium:w-auto">
            <Segmented
              label={t({ id: 'nav.redeem', message: 'Redeem' })}
              options={segments}
              value={segment}
              onChange={choose}
            />
          </div>
        )}
      </div>
      <UnansweredSpends
        memberCode={member.memberCode}
        hidden={open || buying}
        onAnswered={rerender}
      />
      {segment === 'rewards' ? <Gifts {...list} /> : null}
      {segment === 'coupons' ? (
        <Coupons member={member} usablePoints={usable} paused={paused} onOpen={setBuying} />
      ) : null}
      {segment === 'sale' ? (
        <AgainstSale
          usable={usable}
          paused={paused}
          onSale={(sale) => ask({ kind: 'sale', sale })}
        />
      ) : null}
      {asked === null ? null : (
        <AskedSheet
          key={round}
          asked={asked}
          open={open}
          member={member}
          usable={usable}
          onAsk={ask}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}

function useSegments() {
  const { t } = useLingui()
  const permissions = usePermissions()
  const chosen = useStore(lastSegment)
  const all: readonly { value: Segment; label: string; granted: boolean }[] = [
    {
      value: 'rewards',
      label: t({ id: 'ex.rewards', message: 'Rewards' }),
      granted: permissions.has('pointRedeem'),
    },
    {
      value: 'coupons',
      label: t({ id: 'ex.coupons', message: 'Coupons' }),
      granted: permissions.has('pointExchange'),
    },
    {
      value: 'sale',
      label: t({ id: 'ex.sale', message: 'Against this sale' }),
      granted: permissions.has('pointExchange'),
    },
  ]
  const segments = all.filter(({ granted }) => granted)
  const current = segments.find(({ value }) => value === chosen) ?? segments[0]
  return { segments, segment: current?.value ?? 'sale', choose: lastSegment.set }
}

function Balance({ points }: { points: MembershipInfo['points'] }) {
  const { t } = useLingui()
  if (points === null) return null
  const usable = formatPoints(points.valid)
  return (
    <div className="min-w-40 flex-1">
      <p className="text-small text-ink2">{t({ id: 'home.points', message: 'Points' })}</p>
      <Figure size="l">{formatPoints(points.balance)}</Figure>
      {points.valid === points.balance ? null : (
        <p className="num text-small text-ink2">
          {t({ id: 'home.usable', message: `${usable} can be used today` })}
        </p>
      )}
    </div>
  )
}

type AgainstSaleProps = {
  usable: number | null
  paused: string | null
  onSale: (sale: Sale) => void
}

function AgainstSale(props: AgainstSaleProps) {
  const { t } = useLingui()
  const config = useConfig()
  const decimals = useDecimals()
  if (config === undefined) return <Skeleton height="8rem" radius="card" />
  if (config.pointExchangeRule === null) {
    return (
      <Notice
        tone="info"
        quiet
        action={
          <Button kind="outlined" size="small" onClick={() => history.back()}>
            {t({ id: 'common.back', message: 'Back' })}
          </Button>
        }
      >
        {t({ id: 'ex.notSet', message: 'Please configure the points redemption rules' })}
      </Notice>
    )
  }
  return <SaleForm rule={{ ...config.pointExchangeRule, decimals }} {...props} />
}

type AskedSheetProps = {
  asked: Asked
  open: boolean
  member: PointsOwner
  usable: number | null
  onAsk: (next: Asked) => void
  onClose: () => void
}

function AskedSheet({ asked, open, member, usable, onAsk, onClose }: AskedSheetProps) {
  const { t } = useLingui()
  const queries = useQueryClient()
  const clerk = useSession()
  const { memberCode, name } = member
  if (asked.kind === 'undo') {
    const n = formatPoints(asked.spent.points)
    const { entryId, gift } = asked.spent
    const back = t({ id: 'undo.points', message: `${n} points go back to ${name}.` })
    if (clerk === null) return null
    return (
      <UndoSheet
        key={entryId}
        open={open}
        note={gift === null ? back : t({ id: 'undo.thing', message: `${gift}: ${back}` })}
        make={(reason) => createUndo(clerk, { memberCode, entryId, reason })}
        onAnswered={() => invalidatePoints(queries, memberCode)}
        onClose={onClose}
      />
    )
  }
  const common = {
    open,
    member,
    onClose,
    onUndo: (spent: Spent) => onAsk({ kind: 'undo', spent }),
  }
  if (asked.kind === 'sale') {
    const order = { memberCode, kind: 'transaction' as const, ...asked.sale }
    return <SpendSheet key={JSON.stringify(order)} {...common} order={order} gift={null} />
  }
  const { reward, quantity } = asked
  const most = maxQuantity(reward, reward.points, usable)
  return (
    <SpendSheet
      key={reward.giftId}
      {...common}
      order={{ memberCode, quantity, kind: 'gift', giftId: reward.giftId }}
      gift={counted(reward.name, quantity)}
      choice={
        most > 1 ? (
          <Stepper
            value={quantity}
            most={most}
            onChange={(next) => onAsk({ ...asked, quantity: next })}
          />
        ) : null
      }
    />
  )
}
