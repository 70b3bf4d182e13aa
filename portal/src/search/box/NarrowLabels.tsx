import { useLingui } from '@lingui/react/macro'
import { methods } from '../text/parse.ts'
import { useSearchTexts } from '../useSearchTexts.ts'
import type { Searching } from './useSearching.ts'

const look =
  'min-h-11 grow rounded-button border px-1.5 text-small text-nowrap transition-colors ' +
  'duration-[120ms] forced-colors:aria-pressed:outline ' +
  'forced-colors:aria-pressed:outline-[Highlight]'
const off = 'border-line text-ink2 hover:bg-raised'
const on = 'border-brand-line bg-brand-tint font-semibold text-brand-text'

/**
 * The methods of the specification. A pressed one narrows the search for this one input, and brings
 * the device's keyboard for it.
 */
export function NarrowLabels({ searching }: { searching: Searching }) {
  const { t } = useLingui()
  const { methodNames } = useSearchTexts()
  const { field, input, onType } = searching
  return (
    <fieldset
      aria-label={t({ id: 'search.by', message: 'Search by' })}
      className="flex flex-wrap gap-1"
    >
      {methods.map((method) => {
        const isPressed = field.narrow === method
        return (
          <button
            key={method}
            type="button"
            aria-pressed={isPressed}
            onClick={() => {
              field.choose(isPressed ? null : method)
              onType()
              // The method has a new input, which gets the focus.
              requestAnimationFrame(() => input.current?.focus())
            }}
            className={`${look} ${isPressed ? on : off}`}
          >
            {methodNames[method]}
          </button>
        )
      })}
    </fieldset>
  )
}
