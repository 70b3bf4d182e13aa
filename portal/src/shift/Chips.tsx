import { type ReactNode, useId } from 'react'
import { RadioLabel } from '../ui/field/RadioLabel.tsx'
import { useControlled } from '../ui/field/useControlled.ts'

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
  const restore = useControlled()
  return (
    <div role="radiogroup" aria-label={label} className="flex flex-wrap gap-2 print:hidden">
      {options.map((option) => (
        <RadioLabel
          key={option.value}
          name={name}
          value={option.value}
          checked={option.value === value}
          onChoose={() => {
            onChange(option.value)
            restore()
          }}
          className={
            'rounded-button border border-line px-4 has-checked:border-brand-line ' +
            'has-checked:bg-brand-tint has-checked:text-brand-text'
          }
        >
          {option.label}
        </RadioLabel>
      ))}
    </div>
  )
}
