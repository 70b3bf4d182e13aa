import type { ReactNode } from 'react'

type RadioLabelProps = {
  /** The same for all options of a group. */
  name: string
  value: string
  checked: boolean
  onChoose: () => void
  /** The shape, and the colours while it is checked. */
  className: string
  children: ReactNode
}

/** One option of a visible choice: a native radio button under its label. */
export function RadioLabel(props: RadioLabelProps): ReactNode {
  const { name, value, checked, onChoose, className, children } = props
  return (
    <label
      className={
        'segment relative grid min-h-11 place-items-center text-small text-nowrap text-ink2 ' +
        'transition-colors duration-[120ms] has-checked:font-semibold ' +
        'forced-colors:has-checked:outline forced-colors:has-checked:outline-[Highlight] ' +
        className
      }
    >
      <input
        type="radio"
        name={name}
        value={value}
        checked={checked}
        onChange={onChoose}
        className="absolute inset-0 size-full cursor-pointer opacity-0"
      />
      {children}
    </label>
  )
}
