import { useEffect, useRef, useState } from 'react'
import { FieldError } from '../../ui/field/FieldError.tsx'
import { useSearchTexts } from '../useSearchTexts.ts'
import { KindLine } from './KindLine.tsx'
import { NarrowLabels } from './NarrowLabels.tsx'
import { SearchAnswer } from './SearchAnswer.tsx'
import type { Searching } from './useSearching.ts'

/** The rest of the search box below the header's field, while the field has a text or an answer. */
export function HeaderPanel({ searching }: { searching: Searching }) {
  const { errorTexts } = useSearchTexts()
  const { field, search } = searching
  const panel = useRef<HTMLDivElement>(null)
  const hasContent = field.text !== '' || field.errorCode !== null || !search.isIdle
  const isLeft = useLeft(panel)
  if (!hasContent || isLeft) return <div ref={panel} />
  return (
    <div
      ref={panel}
      className={
        'absolute inset-x-0 top-full mt-2 flex flex-col gap-2 rounded-card border border-line ' +
        'bg-overlay p-3 shadow-[var(--lift-menu)]'
      }
    >
      {field.errorCode === null ? null : (
        <div role="alert">
          <FieldError id="next-member-error">{errorTexts[field.errorCode]}</FieldError>
        </div>
      )}
      <KindLine {...searching} />
      <NarrowLabels searching={searching} />
      <div className="empty:hidden">
        <SearchAnswer searching={searching} />
      </div>
    </div>
  )
}

/** Whether the clerk has left the field and its panel: with Escape, a tap or the Tab key. */
function useLeft(panel: { current: HTMLElement | null }): boolean {
  const [isLeft, setLeft] = useState(false)
  useEffect(() => {
    const move = ({ target }: Event) => {
      const form = panel.current?.closest('form')
      if (form) setLeft(!(target instanceof Node && form.contains(target)))
    }
    const press = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') setLeft(true)
      else if (panel.current?.closest('form')?.contains(document.activeElement)) setLeft(false)
    }
    addEventListener('pointerdown', move)
    addEventListener('focusin', move)
    addEventListener('keydown', press)
    return () => {
      removeEventListener('pointerdown', move)
      removeEventListener('focusin', move)
      removeEventListener('keydown', press)
    }
  }, [panel])
  return isLeft
}
