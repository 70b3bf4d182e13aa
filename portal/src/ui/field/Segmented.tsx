import { useId } from 'react'
import { RadioLabel } from './RadioLabel.tsx'
import { useControlled } from './useControlled.ts'

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
  const restore = useControlled()
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
            'flex-1 grow rounded-field px-2.5 text-center has-checked:bg-overlay ' +
            'has-checked:text-ink'
          }
        >
          {/* At least as wide as a finger and as the option's text. */}
          <span className="before:block before:h-0 before:w-6">
            {option.label}
            {option.count === undefined ? null : (
              <span className="num ms-1 font-normal text-ink2">{option.count}</span>
            )}
          </span>
        </RadioLabel>
      ))}
    </div>
  )
}
