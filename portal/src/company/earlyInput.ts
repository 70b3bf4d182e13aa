// The server's page holds the form before the script arrives, and somebody may have begun to type.

type EarlyInput = { values: ReadonlyMap<string, string>; focused: string | null }

let saved: EarlyInput = { values: new Map(), focused: null }

/** Remembers what stands in the page's form; called right before React takes its place. */
export function saveEarlyInput(root: HTMLElement): void {
  const inputs = [...root.querySelectorAll('input')]
  const focused = inputs.find((input) => input === document.activeElement)
  saved = {
    values: new Map(inputs.map((input) => [input.name, input.value])),
    focused: focused?.name ?? null,
  }
}

/** What was typed into a field before React came. */
export function earlyInput(name: string): string {
  return saved.values.get(name) ?? ''
}

/** Which field had the focus before React came; only told once, to the form that takes it over. */
export function takeEarlyFocus(): string | null {
  const { focused } = saved
  saved = { ...saved, focused: null }
  return focused
}
