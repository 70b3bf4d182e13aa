import BackspaceIcon from 'virtual:icons/backspace'
import type { MouseEvent, ReactNode, RefObject } from 'react'
import { applyKey } from './applyKey.ts'

type KeypadProps = {
  label: string
  deleteLabel: string
  disabled: boolean
  /** Where the digits go: a field of text whose keyboard is `none`. */
  input: RefObject<HTMLInputElement | null>
  /** The key in the corner, which ends the number. */
  children: ReactNode
}

const look =
  'grid min-h-16  place-items-center rounded-button border border-line bg-surface ' +
  'num text-title font-normal text-ink select-none touch-manipulation ' +
  'hover:bg-raised active:bg-sunken ' +
  'disabled:text-ink3'

/** The digits in the page, so that the device's keyboard does not cover half of it. */
export function Keypad({ label, deleteLabel, disabled, input, children }: KeypadProps) {
  const onKey = (key: string) => write(input.current, key)
  return (
    <fieldset aria-label={label} className="grid w-full max-w-72 grid-cols-3 gap-2">
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

/** The field keeps the caret; a physical key still goes there. */
function keepFocus(event: MouseEvent) {
  event.preventDefault()
}

/** The field takes it as it takes what is typed: groups it, and keeps the caret. */
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
