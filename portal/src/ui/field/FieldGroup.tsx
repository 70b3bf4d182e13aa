import { useId, type ReactNode } from 'react'
import { FieldError } from './FieldError.tsx'

export type FieldGroupProps = {
  label: ReactNode
  hint?: ReactNode
  error?: string | undefined
  /** Called when the focus leaves the whole group. */
  onLeave?: (() => void) | undefined
  children: ReactNode
}

/** Several inputs for one value: a date, a choice. */
export function FieldGroup({ label, hint, error, onLeave, children }: FieldGroupProps) {
  const id = useId()
  const described = [error ? `${id}-error` : '', hint ? `${id}-hint` : ''].filter(Boolean)
  return (
    // The inputs inside are interactive; their events bubble to here.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <fieldset
      className="flex min-w-0 flex-col gap-1.5"
      aria-describedby={described.join(' ') || undefined}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) onLeave?.()
      }}
    >
      <legend className="mb-1.5 line-clamp-3 text-small font-medium text-ink2">{label}</legend>
      {children}
      {error ? <FieldError id={`${id}-error`}>{error}</FieldError> : null}
      {hint ? (
        <p id={`${id}-hint`} className="text-small text-ink2">
          {hint}
        </p>
      ) : null}
    </fieldset>
  )
}
