import { useId, type ComponentPropsWithRef, type ReactNode } from 'react'
import { buttonClass, type ButtonKind, type ButtonSize } from './buttonClass.ts'
import { useDelayed } from './useDelayed.ts'

export type ButtonProps = Omit<ComponentPropsWithRef<'button'>, 'disabled' | 'style'> & {
  kind: ButtonKind
  size?: ButtonSize | undefined
  /** Waiting for an answer: keeps the focus, ignores further presses. */
  busy?: boolean | undefined
  /** Replaces the label while busy. */
  busyLabel?: string | undefined
  disabled?: boolean | undefined
  /** Why the button is disabled; shown below it. */
  reason?: string | undefined
  icon?: ReactNode
}

/**
 * A button labelled with its action. It stays focusable while busy, so that the keyboard focus is
 * not lost.
 */
export function Button(props: ButtonProps) {
  const { kind, size, busy, busyLabel, disabled, reason, icon, className, ...rest } = props
  const { onClick, type = 'button', children, ...attributes } = rest
  const late = useDelayed(busy === true)
  const reasonId = useId()
  const explained = disabled === true && reason !== undefined
  const button = (
    <button
      {...attributes}
      type={type}
      disabled={disabled === true && !explained}
      aria-disabled={busy === true || disabled === true || undefined}
      aria-busy={busy || undefined}
      aria-describedby={explained ? reasonId : attributes['aria-describedby']}
      onClick={(event) => {
        if (busy === true || disabled === true) event.preventDefault()
        else onClick?.(event)
      }}
      className={`${buttonClass(kind, size, disabled)} ${className ?? ''}`}
    >
      {late ? <span className="spinner shrink-0" aria-hidden="true" /> : icon}
      <span>{late && busyLabel !== undefined ? busyLabel : children}</span>
    </button>
  )
  if (!explained) return button
  return (
    <span className="flex flex-col gap-1">
      {button}
      <span id={reasonId} className="text-center text-caption text-ink2">
        {reason}
      </span>
    </span>
  )
}
