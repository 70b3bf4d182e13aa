import { useId } from 'react'

export type SegmentedProps<Value extends string> = {
  /** The accessible name of the group. */
  label: string
  options: readonly { value: Value; label: string; count?: number | undefined }[]
  value: Value
  onChange: (value: Value) => void
}

/**
 * A choice between a few visible options. Native radio buttons, so that arrow keys and screen
 * readers work.
 */
export function Segmented<Value extends string>(props: SegmentedProps<Value>) {
  const { label, options, value, onChange } = props
  const name = useId()
  return (
    <div
      role="radiogroup"
      aria-label={label}
      className={
        'flex flex-wrap gap-0.5 rounded-button p-0.5 ' +
        'bg-[color-mix(in_srgb,transparent,var(--ink)_6%)]'
      }
    >
      {options.map((option) => (
        <label
          key={option.value}
          className={
            'segment relative grid min-h-11 flex-1 grow place-items-center ' +
            'rounded-field px-2.5 text-center text-small text-nowrap text-ink2 ' +
            'transition-colors duration-[120ms] ' +
            'has-checked:bg-overlay has-checked:font-semibold has-checked:text-ink ' +
            'forced-colors:has-checked:outline forced-colors:has-checked:outline-[Highlight]'
          }
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            className="absolute inset-0 size-full cursor-pointer opacity-0"
          />
          {/* At least as wide as a finger and as the option's text. */}
          <span className="before:block before:h-0 before:w-6">
            {option.label}
            {option.count === undefined ? null : (
              <span className="num ms-1 font-normal text-ink2">{option.count}</span>
            )}
          </span>
        </label>
      ))}
    </div>
  )
}
