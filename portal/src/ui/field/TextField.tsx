import { useId, type ComponentPropsWithRef, type ReactNode } from 'react'
import { ignoreComposing } from './composing.ts'
import { FieldError } from './FieldError.tsx'
import { useControlled } from './useControlled.ts'

export type TextFieldProps = Omit<ComponentPropsWithRef<'input'>, 'style' | 'size'> & {
  label: ReactNode
  hint?: ReactNode
  /** The error and how to correct it, shown below the field. */
  error?: string | undefined
  /** Inside the frame, before the text: a country code, an icon. */
  leading?: ReactNode
  /** Inside the frame, after the text: a button to show or scan. */
  trailing?: ReactNode
  /** 64 px tall with 28 px digits, for the main field of a screen. */
  big?: boolean | undefined
  /** 44 px tall, for a bar. */
  small?: boolean | undefined
  /** Usual letters in a big field, for a long text. */
  usualLetters?: boolean | undefined
  /** Hides the label visually if a heading or a switch above has the same text. */
  labelHidden?: boolean | undefined
}

/** A field with its label above and its error below. */
export function TextField(props: TextFieldProps) {
  const { label, hint, error, leading, trailing, big, labelHidden, id, className, ...others } =
    props
  const { small, usualLetters, ...input } = others
  const restore = useControlled()
  const own = useId()
  const fieldId = id ?? own
  const hintId = `${fieldId}-hint`
  const errorId = `${fieldId}-error`
  const described = [error ? errorId : '', hint ? hintId : ''].filter(Boolean).join(' ')
  return (
    <div className={`flex flex-col gap-1.5 ${className ?? ''}`}>
      <label
        htmlFor={fieldId}
        className={labelHidden ? 'sr-only' : 'text-small font-medium text-ink2'}
      >
        {label}
      </label>
      <div
        className={
          'field-frame flex items-center rounded-field border bg-surface transition-colors ' +
          `duration-[120ms] ${big ? 'min-h-16' : small ? 'min-h-11' : 'min-h-13'} ` +
          (error ? 'border-danger' : 'border-control')
        }
      >
        {leading}
        <input
          onKeyDown={ignoreComposing}
          {...input}
          onChange={(event) => {
            input.onChange?.(event)
            restore()
          }}
          id={fieldId}
          aria-invalid={error ? true : undefined}
          aria-describedby={described || undefined}
          className={
            'min-w-0 flex-1 self-stretch rounded-field bg-transparent px-3.5 outline-none ' +
            (big && !usualLetters ? 'num text-field-l placeholder:text-body' : 'text-body')
          }
        />
        {trailing}
      </div>
      {error ? <FieldError id={errorId}>{error}</FieldError> : null}
      {hint ? (
        <p id={hintId} className="text-small text-ink2">
          {hint}
        </p>
      ) : null}
    </div>
  )
}
