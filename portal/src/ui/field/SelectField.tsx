import CaretDownIcon from 'virtual:icons/caret-down'
import { useId, type ComponentPropsWithRef, type ReactNode } from 'react'
import { FieldError } from './FieldError.tsx'
import { useControlled } from './useControlled.ts'

export type SelectFieldProps = Omit<
  ComponentPropsWithRef<'select'>,
  'style' | 'onChange' | 'value'
> & {
  label: ReactNode
  options: readonly { value: string; label: string }[]
  value: string
  onChange: (value: string) => void
  error?: string | undefined
}

/**
 * A choice between many options. A native select, because phones show it as a picker. Its first
 * option is empty, so that nothing is preselected.
 */
export function SelectField(props: SelectFieldProps) {
  const { label, options, value, onChange, error, id, className, ...select } = props
  const restore = useControlled()
  const own = useId()
  const fieldId = id ?? own
  return (
    <div className={`flex min-w-0 flex-col gap-1.5 ${className ?? ''}`}>
      <label htmlFor={fieldId} className="line-clamp-3 text-small font-medium text-ink2">
        {label}
      </label>
      <div className="relative flex items-center">
        <select
          {...select}
          id={fieldId}
          value={value}
          onChange={(event) => {
            onChange(event.target.value)
            restore()
          }}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${fieldId}-error` : undefined}
          className={
            'min-h-13 w-full min-w-0 appearance-none rounded-field border bg-surface ps-3.5 ' +
            `pe-11 text-body ${error ? 'border-danger' : 'border-control'}`
          }
        >
          <option value="">—</option>
          {options.map((option) => (
            <option key={option.value} value={option.value} className="bg-surface text-ink">
              {option.label}
            </option>
          ))}
        </select>
        <CaretDownIcon
          size={20}
          className="pointer-events-none absolute end-3.5 text-ink2"
          aria-hidden="true"
        />
      </div>
      {error ? <FieldError id={`${fieldId}-error`}>{error}</FieldError> : null}
    </div>
  )
}
