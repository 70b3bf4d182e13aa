import { type ReactNode, useId } from 'react'

type ChipsProps<Value extends string> = {
  /** The accessible name of the group. */
  label: string
  options: readonly { value: Value; label: string }[]
  value: Value
  onChange: (value: Value) => void
}

/** A filter: each option is as wide as its text. Native radio buttons, as in `Segmented`. */
export function Chips<Value extends string>(props: ChipsProps<Value>): ReactNode {
  const { label, options, value, onChange } = props
  const name = useId()
  return (
    <div role="radiogroup" aria-label={label} className="flex flex-wrap gap-2 print:hidden">
      {options.map((option) => (
        <label
          key={option.value}
          className={
            'segment relative grid min-h-11 place-items-center rounded-button border border-line ' +
            'px-4 text-small text-nowrap text-ink2 transition-colors duration-[120ms] ' +
            'has-checked:border-brand-line has-checked:bg-brand-tint has-checked:font-semibold ' +
            'has-checked:text-brand-text forced-colors:has-checked:outline ' +
            'forced-colors:has-checked:outline-[Highlight]'
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
          {option.label}
        </label>
      ))}
    </div>
  )
}
