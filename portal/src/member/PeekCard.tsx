import { useLingui } from '@lingui/react/macro'
import CaretRightIcon from 'virtual:icons/caret-right'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { fullName, maskedName } from '@tillside/contract/rules/person'
import { languageOf } from '../kit/text/name.ts'
import type { LookUp } from '../paths.ts'
import { TierPips } from '../tier/TierPips.tsx'
import { isUnknownMember, memberQuery } from './member.ts'

type PeekCardProps = {
  lookUp: LookUp
  onOpen: () => void
  /** Shown if no member has this number. */
  notFound?: ReactNode
}

const debounceMs = 250

/**
 * The member with this number, masked because customers can see the screen. It never opens the
 * member by itself.
 */
export function PeekCard({ lookUp, onOpen, notFound = null }: PeekCardProps) {
  const { t } = useLingui()
  const settled = useSettled(JSON.stringify(lookUp))
  const asked = { ...memberQuery(lookUp), enabled: settled, retry: false }
  const { data: member, error } = useQuery(asked)
  return (
    <output className="block">
      {member ? (
        <button
          type="button"
          onClick={onOpen}
          className={
            'flex min-h-16 w-full items-center gap-3 rounded-card border border-line bg-surface ' +
            'py-3 ps-5 pe-4 text-start transition-colors duration-[120ms] hover:bg-raised'
          }
        >
          <span className="min-w-0 flex-1">
            <span lang={languageOf(fullName(member))} className="block truncate text-strong">
              {maskedName(member)}
            </span>
            {member.tier === null ? null : (
              <span className="flex items-center gap-2 text-small text-ink2">
                <TierPips {...member.tier} inked />
                {member.tier.name}
              </span>
            )}
          </span>
          <span className="flex items-center gap-1 font-semibold text-brand-text">
            {t({ id: 'search.open', message: 'Open' })}
            <CaretRightIcon size={20} aria-hidden="true" />
          </span>
        </button>
      ) : isUnknownMember(error) ? (
        notFound
      ) : null}
    </output>
  )
}

/** True once the value has not changed for a while, so that not every digit causes a request. */
function useSettled(value: string): boolean {
  const [settled, setSettled] = useState<string | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), debounceMs)
    return () => clearTimeout(timer)
  }, [value])
  return settled === value
}
