import { type RefObject, useLayoutEffect, useRef } from 'react'
import { caretAfterDigits, digitsBefore } from './caret.ts'

/**
 * Keeps the caret in place when grouping rewrites the field.
 * @returns a function to call on each input, before its new text is set
 */
export function useCaret(input: RefObject<HTMLInputElement | null>, text: string) {
  const digits = useRef<number | null>(null)
  useLayoutEffect(() => {
    if (digits.current === null) return
    const at = caretAfterDigits(text, digits.current)
    digits.current = null
    input.current?.setSelectionRange(at, at)
  }, [input, text])
  return ({ value, selectionStart }: HTMLInputElement) => {
    const caret = selectionStart ?? value.length
    digits.current = caret === value.length ? null : digitsBefore(value, caret)
  }
}
