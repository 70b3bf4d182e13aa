// The server renders the form into the page, so the clerk can start to type before the program
// takes over.

type EarlyInput = { values: ReadonlyMap<string, string>; focused: string | null }

let saved: EarlyInput = { values: new Map(), focused: null }

/** Saves the values of the page's form; called right before the program replaces it. */
export function saveEarlyInput(root: HTMLElement): void {
  const inputs = [...root.querySelectorAll('input')]
  const focused = inputs.find((input) => input === document.activeElement)
  saved = {
    values: new Map(inputs.map((input) => [input.name, input.value])),
    focused: focused?.name ?? null,
  }
}

/** The text that was typed into a field before the program took over. */
export function earlyInput(name: string): string {
  return saved.values.get(name) ?? ''
}

/**
 * The name of the field that had the focus before the program took over. Only the first caller gets
 * it.
 */
export function takeEarlyFocus(): string | null {
  const { focused } = saved
  saved = { ...saved, focused: null }
  return focused
}
