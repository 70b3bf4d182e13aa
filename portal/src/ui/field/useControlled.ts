import { useReducer } from 'react'

/**
 * Makes fields show the value of their props after each change, also when the owner refuses the
 * change or reads it as the value that it had, such as a letter in a number. Preact compares an
 * element with its props only when it renders, so the calling component must render once more;
 * React restores the value itself. The options of a radio group belong to one caller.
 * @returns call it at the end of the handler of each change
 */
export function useControlled(): () => void {
  const [, restore] = useReducer((renders: number) => renders + 1, 0)
  return restore
}
