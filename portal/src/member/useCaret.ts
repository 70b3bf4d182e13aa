import { type RefObject, useLayoutEffect, useRef } from 'react'
import { caretAfterDigits, digitsBefore } from './caret.ts'

/**
 * Grouping rewrites the field, which would throw the caret to its end.
 * @returns to be told of the input before its new text is taken
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
