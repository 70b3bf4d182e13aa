import type { KeyboardEvent } from 'react'

/** The Enter that accepts a suggestion of an input method must not submit the form. */
export function ignoreComposing(event: KeyboardEvent): void {
  if (event.key === 'Enter' && isComposing(event)) event.preventDefault()
}

/** Safari sends the key event after the composition has ended; only `keyCode` 229 identifies it. */
function isComposing({ nativeEvent, keyCode }: KeyboardEvent): boolean {
  return nativeEvent.isComposing || keyCode === 229
}

const fields = ':is(input, select, textarea, [type=submit]):not(:disabled)'

/**
 * A key handler for a form: Enter moves to the next field, and after the last one to the button.
 */
export function moveOnEnter(event: KeyboardEvent<HTMLFormElement>): void {
  const { key, target, currentTarget } = event
  if (key !== 'Enter' || !(target instanceof HTMLInputElement) || isComposing(event)) return
  if (event.defaultPrevented) return
  event.preventDefault()
  const all = Array.from(currentTarget.querySelectorAll<HTMLElement>(fields))
  // A group of radio buttons is one stop, as with the Tab key.
  const others = all.filter((one) => one === target || !isSameGroup(one, target))
  others[others.indexOf(target) + 1]?.focus()
}

/**
 * Whether an input is another option of the same radio group, or an option where Tab does not stop.
 */
function isSameGroup(one: HTMLElement, target: HTMLInputElement): boolean {
  if (!(one instanceof HTMLInputElement) || one.type !== 'radio') return false
  if (one.name === target.name) return true
  const group = Array.from(one.form?.querySelectorAll(`[name="${CSS.escape(one.name)}"]`) ?? [])
  const chosen = group.find((choice) => choice.matches(':checked'))
  return one !== (chosen ?? group[0])
}
