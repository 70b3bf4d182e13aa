import { useLingui } from '@lingui/react/macro'
import CaretRightIcon from 'virtual:icons/caret-right'
import { fullName, maskedName } from '@tillside/contract/rules/person'
import { languageOf } from '../../kit/text/name.ts'
import { TierEnded } from '../../tier/TierEnded.tsx'
import { TierPips } from '../../tier/TierPips.tsx'
import type { Found } from '../find.ts'

type PeekCardProps = { found: Found; onOpen: () => void }

/**
 * The member with this number, masked because customers can see the screen. It never opens the
 * member by itself.
 */
export function PeekCard({ found: { member }, onOpen }: PeekCardProps) {
  const { t } = useLingui()
  return (
    <button
      type="button"
      onClick={onOpen}
      className={
        'flex min-h-16 w-full items-center gap-3 rounded-card border border-line bg-surface ' +
        'py-3 ps-5 pe-4 text-start transition-colors duration-[120ms] hover:bg-raised'
      }
    >
      <span className="min-w-0 flex-1">
        <span lang={languageOf(fullName(member))} className="block text-strong wrap-anywhere">
          {maskedName(member)}
        </span>
        {member.tier === null ? null : (
          <span className="flex items-center gap-2 text-small text-ink2">
            <TierPips {...member.tier} inked />
            {member.tier.name}
          </span>
        )}
        <TierEnded endedOn={member.tier?.endedOn ?? null} />
      </span>
      <span className="flex items-center gap-1 font-semibold text-brand-text">
        {t({ id: 'search.open', message: 'Open' })}
        <CaretRightIcon size={20} aria-hidden="true" />
      </span>
    </button>
  )
}
