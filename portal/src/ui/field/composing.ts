import type { KeyboardEvent } from 'react'

/** The Enter that accepts a suggestion of an input method submits nothing. */
export function ignoreComposing(event: KeyboardEvent): void {
  if (event.key === 'Enter' && isComposing(event)) event.preventDefault()
}

/** Safari sends the key when the composition is over already, and only its code tells. */
function isComposing({ nativeEvent, keyCode }: KeyboardEvent): boolean {
  return nativeEvent.isComposing || keyCode === 229
}

const fields = ':is(input, select, textarea, [type=submit]):not(:disabled)'

/**
 * For the keys of a form: Enter in a field leads to the next one, and behind the last to the act.
 */
export function moveOnEnter(event: KeyboardEvent<HTMLFormElement>): void {
  const { key, target, currentTarget } = event
  if (key !== 'Enter' || !(target instanceof HTMLInputElement) || isComposing(event)) return
  if (event.defaultPrevented) return
  event.preventDefault()
  const all = Array.from(currentTarget.querySelectorAll<HTMLElement>(fields))
  // One stop for a group of choices, as with the key for going on.
  const others = all.filter((one) => one === target || !isSameGroup(one, target))
  others[others.indexOf(target) + 1]?.focus()
}

/** Another choice of the same group, or one that its group does not stop at. */
function isSameGroup(one: HTMLElement, target: HTMLInputElement): boolean {
  if (!(one instanceof HTMLInputElement) || one.type !== 'radio') return false
  if (one.name === target.name) return true
  const group = Array.from(one.form?.querySelectorAll(`[name="${CSS.escape(one.name)}"]`) ?? [])
  const chosen = group.find((choice) => choice.matches(':checked'))
  return one !== (chosen ?? group[0])
}
