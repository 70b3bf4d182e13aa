import { useId, type ComponentPropsWithRef, type ReactNode } from 'react'
import { FieldError } from './FieldError.tsx'
import { useControlled } from './useControlled.ts'

export type TickProps = Omit<ComponentPropsWithRef<'input'>, 'style' | 'type' | 'onChange'> & {
  label: ReactNode
  checked: boolean
  onChange: (checked: boolean) => void
  error?: string | undefined
  /** A link next to the label but not part of it, such as to the terms. */
  beside?: ReactNode
}

/** A checkbox with a clickable label. */
export function Tick({ label, error, beside, onChange, id, ...input }: TickProps) {
  const restore = useControlled()
  const own = useId()
  const fieldId = id ?? own
  return (
    <div className="flex flex-col gap-1">
      <div className="flex flex-wrap items-start gap-x-3">
        <label
          htmlFor={fieldId}
          className="flex min-h-12 min-w-0 flex-[1_1_12rem] cursor-pointer gap-3 py-2.5"
        >
          <input
            {...input}
            id={fieldId}
            type="checkbox"
            onChange={(event) => {
              onChange(event.target.checked)
              restore()
            }}
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? `${fieldId}-error` : undefined}
            className="mt-[0.1em] size-6 shrink-0 accent-brand-line"
          />
          <span className="min-w-0">{label}</span>
        </label>
        {beside}
      </div>
      {error ? <FieldError id={`${fieldId}-error`}>{error}</FieldError> : null}
    </div>
  )
}
