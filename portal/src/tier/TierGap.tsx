import InfoIcon from 'virtual:icons/info'
import { type ReactNode, useState } from 'react'
import { ExplainHint } from '../kit/page/ExplainHint.tsx'
import { later } from '../ui/load/later.tsx'

const ExplainTier = later(async () => (await import('./ExplainTier.tsx')).ExplainTier)

/** Makes the gap a button that explains which sales count towards the tier. */
export function TierGap({ memberCode, children }: { memberCode: string; children: ReactNode }) {
  const [state, setState] = useState<'never' | 'open' | 'closed'>('never')
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => setState('open')}
        className="relative min-h-11 w-full min-w-0 rounded-tag text-start medium:pe-7"
      >
        {children}
        <InfoIcon
          size={20}
          className="absolute end-0 top-1/2 -translate-y-1/2 text-tier-sub max-medium:hidden"
          aria-hidden="true"
        />
        <ExplainHint />
      </button>
      {state === 'never' ? null : (
        <ExplainTier
          open={state === 'open'}
          memberCode={memberCode}
          onClose={() => setState('closed')}
        />
      )}
    </>
  )
}
