import { useLingui } from '@lingui/react/macro'
import type { TierStanding } from '@tillside/contract/tier'
import { useMoney } from '../company/money.ts'
import { useToday } from '../company/calendar.ts'
import { TierSurface } from '../ui/paper/TierSurface.tsx'
import { tierProgress, type TierStop, tierStops } from './progress.ts'
import { TierGap } from './TierGap.tsx'
import { TierHead } from './TierHead.tsx'
import { TierMissing } from './TierMissing.tsx'
import { TierRenewal } from './TierRenewal.tsx'
import { useTierRank } from './tiers.ts'

type LadderProps = {
  standing: TierStanding
  memberCode: string
  tiers: readonly { code: string; name: string; threshold: string }[]
}

/** All tiers of the company, lowest first, with the member's position between them. */
export function TierLadder({ standing, memberCode, tiers }: LadderProps) {
  const { t } = useLingui()
  const money = useMoney()
  const { tone } = useTierRank(standing.code)
  const { hero, renew } = tierProgress(standing, useToday())
  const amount = money(standing.gradeSpend)
  return (
    <TierSurface tone={tone}>
      <div className="flex flex-col gap-3">
        <TierHead standing={standing} pips={false} />
        <ol className="flex flex-col">
          {tierStops(tiers, standing).map((stop) => (
            <Rung key={stop.code} stop={stop} hero={stop.position === 'current' ? hero : null} />
          ))}
        </ol>
        <TierGap memberCode={memberCode}>
          <span className="num text-small text-tier-sub">
            {t({ id: 'tier.spent', message: `${amount} spent` })}
          </span>
        </TierGap>
        {renew ? <TierRenewal gap={renew.gap} by={renew.by} tier={standing.name} /> : null}
      </div>
    </TierSurface>
  )
}

type RungProps = { stop: TierStop; hero: ReturnType<typeof tierProgress>['hero'] | null }

function Rung({ stop, hero }: RungProps) {
  const money = useMoney()
  const current = stop.position === 'current'
  return (
    <li
      aria-current={current ? 'step' : undefined}
      className="group grid min-h-12 grid-cols-[1rem_minmax(0,1fr)] gap-x-3 last:min-h-0"
    >
      <Rail stop={stop} />
      <div className="min-w-0 pb-2 leading-5 group-last:pb-0 group-aria-[current=step]:pb-3">
        <div
          className={
            'flex flex-wrap justify-between gap-x-3 ' +
            (current ? 'font-semibold' : 'text-tier-sub')
          }
        >
          <p className="min-w-0">{stop.name}</p>
          <p className="num ms-auto">{money(stop.threshold)}</p>
        </div>
        {hero ? <TierMissing hero={hero} tier={stop.name} /> : null}
      </div>
    </li>
  )
}

/** A stop on the rail, with the line to the next one filled up to the member's position. */
function Rail({ stop: { position, covered } }: { stop: TierStop }) {
  return (
    <span aria-hidden="true" className="flex flex-col items-center pt-1">
      <span
        className={
          'size-3 shrink-0 rounded-full border-2 border-tier-edge ' +
          (position === 'future' ? '' : 'bg-tier-edge forced-colors:bg-[CanvasText] ') +
          (position === 'current' ? 'outline-2 outline-offset-2 outline-tier-edge' : '')
        }
      />
      <span
        className={
          'relative mt-1 mb-[-2px] w-0.5 flex-1 group-last:hidden ' +
          'bg-[color-mix(in_srgb,currentcolor_20%,transparent)] forced-colors:bg-[GrayText]'
        }
      >
        <span
          className="absolute inset-x-0 top-0 bg-tier-edge forced-colors:bg-[CanvasText]"
          style={{ height: `${covered * 100}%` }}
        />
      </span>
    </span>
  )
}
