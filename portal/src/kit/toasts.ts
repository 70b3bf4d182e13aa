import { createStore } from './store.ts'

export const refusalText = createStore<string | null>(null)
/** Says what the server refused, for five seconds. */
export function showRefusal(text: string): void {
  refusalText.set(text)
}
