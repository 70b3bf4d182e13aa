import BackspaceIcon from 'virtual:icons/backspace'
import type { MouseEvent, ReactNode, RefObject } from 'react'
import { applyKey } from './applyKey.ts'

type KeypadProps = {
  label: string
  deleteLabel: string
  disabled: boolean
  /** The field for the digits: a text field with `inputMode="none"`. */
  input: RefObject<HTMLInputElement | null>
  /** The key in the corner, which submits the number. */
  children: ReactNode
}

const look =
  'grid min-h-16  place-items-center rounded-button border border-line bg-surface ' +
  'num text-title font-normal text-ink select-none touch-manipulation ' +
  'hover:bg-raised active:bg-sunken ' +
  'disabled:text-ink3'

/** A keypad in the page, because the device's keyboard would cover half of it. */
export function Keypad({ label, deleteLabel, disabled, input, children }: KeypadProps) {
  const onKey = (key: string) => write(input.current, key)
  return (
    <fieldset aria-label={label} className="grid w-full grid-cols-3 gap-2">
      {Array.from('123456789', (digit) => (
        <Digit key={digit} digit={digit} disabled={disabled} onKey={onKey} />
      ))}
      <button
        type="button"
        aria-label={deleteLabel}
        disabled={disabled}
        onMouseDown={keepFocus}
        onClick={() => onKey('delete')}
        className={look}
      >
        <BackspaceIcon size={28} aria-hidden="true" />
      </button>
      <Digit digit="0" disabled={disabled} onKey={onKey} />
      {children}
    </fieldset>
  )
}

/** Keeps the caret in the field, so that a hardware keyboard works too. */
function keepFocus(event: MouseEvent) {
  event.preventDefault()
}

/** Fires an input event like typing, so that the field groups the digits and keeps the caret. */
function write(field: HTMLInputElement | null, key: string) {
  if (field === null) return
  const end = field.value.length
  const chosen = [field.selectionStart ?? end, field.selectionEnd ?? end] as const
  const { text, caret } = applyKey(field.value, chosen, key)
  field.setRangeText(text, 0, end)
  field.setSelectionRange(caret, caret)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

type DigitProps = { digit: string; disabled: boolean; onKey: (key: string) => void }

function Digit({ digit, disabled, onKey }: DigitProps) {
  return (
    <button
      type="button"
      disabled={disabled}
      onMouseDown={keepFocus}
      onClick={() => onKey(digit)}
      className={look}
    >
      {digit}
    </button>
  )
}
